import type { Order } from '../../../engines/redis/order.ts'
import { strangeValue } from '../../../engines/redis/patience.ts'
import { type Script, scriptOf } from '../../../engines/redis/script.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Ask } from './applicant.ts'
import {
  BLOCKS,
  type Block,
  bytesOf,
  type Fingerprint,
  MAX_MEMBERS,
  MEMBER_BYTES,
  memberOf,
  nearIn,
} from './fingerprint.ts'

/** 134 million originals in all. */
const MAX_RECORDS_IN_A_KEY = 2048
const NUMBER_BYTES = 8

export interface Original {
  /** Rises in the order in which originals were admitted. */
  readonly number: number
  readonly fingerprint: Fingerprint
  readonly url: CanonicalUrl
}

/** What is put under a key. */
interface Entry {
  readonly key: string
  readonly args: readonly Buffer[]
}

const remember = scriptOf(new URL('./remember.lua', import.meta.url))
const record = scriptOf(new URL('./record.lua', import.meta.url))

/**
 * The originals of a crawl: a bucket of fingerprints for each value of each block, and their records. No two keys need to
 * lie together, so that they spread evenly over a Cluster. Everything can be done twice.
 */
export class NearBuckets {
  readonly #ask: Ask
  readonly #base: string

  constructor(base: string, ask: Ask) {
    this.#base = base
    this.#ask = ask
  }

  /** For each fingerprint the originals that are near to it, the earliest first. */
  async near(fingerprints: readonly Fingerprint[]): Promise<Original[][]> {
    const candidates = await this.#candidates(fingerprints)
    const wanted = candidates.flat()
    if (wanted.length === 0) return candidates.map(() => [])
    const keys = wanted.map((one) => this.#recordKey(one))
    const values = await this.#ask(
      wanted.map((one, at) => ({ keys: [keys[at]!], command: 'HGET', args: [bytesOf(one)] })),
    )
    const found = wanted.map((one, at) => originalOf(keys[at]!, one, values[at])).values()
    return candidates.map((these) =>
      these
        .map(() => found.next().value)
        .filter((original) => original !== undefined)
        .sort((a, b) => a.number - b.number),
    )
  }

  /** Resolves when they are found by all who ask after that. */
  async write(originals: readonly Original[]): Promise<void> {
    const records = originals.map(({ number, fingerprint, url }) => {
      const value = Buffer.allocUnsafe(NUMBER_BYTES)
      value.writeDoubleBE(number)
      return {
        key: this.#recordKey(fingerprint),
        args: [bytesOf(fingerprint), Buffer.concat([value, Buffer.from(url)])],
      }
    })
    const members = originals.flatMap(({ fingerprint }) =>
      BLOCKS.map((block) => ({
        key: this.#bucketKey(block, fingerprint[block]),
        args: [memberOf(fingerprint, block)],
      })),
    )
    await this.#ask([
      ...this.#orders(record, MAX_RECORDS_IN_A_KEY, records),
      ...this.#orders(remember, MAX_MEMBERS, members),
    ])
  }

  #orders(script: Script, most: number, entries: readonly Entry[]): Order[] {
    return entries.map(({ key, args }) => ({ script, keys: [key], args: [most, ...args], mayWait: true }))
  }

  async #candidates(fingerprints: readonly Fingerprint[]): Promise<Fingerprint[][]> {
    const keys = fingerprints.flatMap((fingerprint) =>
      BLOCKS.map((block) => this.#bucketKey(block, fingerprint[block])),
    )
    const buckets = (await this.#ask(keys.map((key) => ({ keys: [key], command: 'GET' })))) as (Buffer | null)[]
    return fingerprints.map((fingerprint, n) => {
      const found = new Map<string, Fingerprint>()
      for (const block of BLOCKS) {
        const at = n * BLOCKS.length + block
        for (const near of nearIn(membersOf(keys[at]!, buckets[at]!), fingerprint, block)) found.set(near.join(), near)
      }
      return [...found.values()]
    })
  }

  #bucketKey(block: Block, value: number): string {
    return `${this.#base}:${block}:${value.toString(36)}`
  }

  /** All blocks take part, so that a crowded one does not crowd a key. */
  #recordKey([a, b, c, d]: Fingerprint): string {
    return `${this.#base}:o:${(a ^ b ^ c ^ d).toString(36)}`
  }
}

const EMPTY = Buffer.alloc(0)

function membersOf(key: string, value: Buffer | null): Buffer {
  if (value && value.length % MEMBER_BYTES !== 0) throw strangeValue(key)
  return value ?? EMPTY
}

function originalOf(key: string, fingerprint: Fingerprint, value: unknown): Original | undefined {
  // Its record has given way, or is being written.
  if (value === null) return undefined
  const bytes = value as Buffer
  if (bytes.length <= NUMBER_BYTES) throw strangeValue(key)
  return { number: bytes.readDoubleBE(0), fingerprint, url: bytes.toString('utf8', NUMBER_BYTES) as CanonicalUrl }
}
