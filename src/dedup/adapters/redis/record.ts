import type { CanonicalUrl } from '../../../url/keys.ts'

const HEAD_BYTES = 9

/** What is known of a fingerprint (see claim.lua). `withdrawn`: it gave way to one that was before it, or its worker died. */
export interface NearRecord {
  readonly state: 'undecided' | 'original' | 'withdrawn'
  /** Engine's clock. */
  readonly enteredAtUs: number
  readonly url: CanonicalUrl
}

export const stateBytes = { undecided: '?', original: 'o', withdrawn: 'x' } as const

const stateOf = new Map(Object.entries(stateBytes).map(([state, byte]) => [byte.charCodeAt(0), state]))

/** `undefined`: this is not what we write. */
export function recordOf(bytes: Buffer): NearRecord | undefined {
  const state = stateOf.get(bytes[0] ?? 0) as NearRecord['state'] | undefined
  if (state === undefined || bytes.length < HEAD_BYTES) return undefined
  return { state, enteredAtUs: bytes.readDoubleBE(1), url: bytes.toString('utf8', HEAD_BYTES) as CanonicalUrl }
}
