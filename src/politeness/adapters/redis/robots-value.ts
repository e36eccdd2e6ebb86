import { deflateRawSync, inflateRawSync } from 'node:zlib'
import * as z from 'zod'
import type { FailureCode } from '../../../fetch/outcome.ts'
import type { RobotsEntry } from '../../robots-store.ts'

/** The first byte says how the entry that follows is written: as JSON, or as JSON compressed. */
const PLAIN = 0x6a
const COMPRESSED = 0x7a

const LARGE_BYTES = 400
/** Bounds what a damaged value can inflate to; the largest robots.txt that is kept is far below. */
const MAX_BYTES = 8 * 1024 * 1024

const moments = { fetchedAt: z.number(), expiresAt: z.number() }
const storedEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rules'), text: z.string(), ...moments }),
  z.object({ kind: z.literal('none'), status: z.number(), ...moments }),
  z.object({
    kind: z.literal('unavailable'),
    code: z.custom<FailureCode | null>((value) => value === null || typeof value === 'string'),
    detail: z.string(),
    failures: z.number(),
    ...moments,
  }),
])

export function robotsValue(entry: RobotsEntry): Buffer {
  const json = Buffer.from(JSON.stringify(entry))
  if (json.length < LARGE_BYTES) return Buffer.concat([Buffer.of(PLAIN), json])
  return Buffer.concat([Buffer.of(COMPRESSED), deflateRawSync(json)])
}

/** `undefined`: this is not what we write. */
export function robotsEntryOf(value: Buffer): RobotsEntry | undefined {
  try {
    const body = value.subarray(1)
    const json = value[0] === COMPRESSED ? inflateRawSync(body, { maxOutputLength: MAX_BYTES }) : body
    if (value[0] !== PLAIN && value[0] !== COMPRESSED) return undefined
    return storedEntry.safeParse(JSON.parse(json.toString())).data
  } catch {
    return undefined
  }
}
