import { bitCount } from '../../simhash.ts'

/**
 * The originals that share one block of their SimHash, packed as 12 bytes each: row, upper half, lower half. It holds the
 * newest 512: at that size (6 KiB) it fills at 33 million evenly spread originals, and a block that a template has crowded
 * costs no more than any other. An original pushed out of all its four buckets is no longer found: a near-duplicate is
 * then missed, never invented.
 */
export const MAX_MEMBERS = 512

const MEMBER_BYTES = 12

/** A SimHash as two signed 32-bit halves. */
export interface Halves {
  readonly high: number
  readonly low: number
}

export function halvesOf(simhash: string): Halves | undefined {
  if (!/^[0-9a-f]{16}$/.test(simhash)) return undefined
  return { high: Number.parseInt(simhash.slice(0, 8), 16) | 0, low: Number.parseInt(simhash.slice(8), 16) | 0 }
}

/** The buckets a fingerprint belongs to: one for each of its four blocks. */
export function blocksOf({ high, low }: Halves): readonly number[] {
  return [high >>> 16, 0x10000 + (high & 0xffff), 0x20000 + (low >>> 16), 0x30000 + (low & 0xffff)]
}

/** Adds the rows of all members within `maxBits` of a fingerprint. */
export function collectNear(bucket: Uint8Array, of: Halves, maxBits: number, rows: Set<number>): void {
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.length)
  for (let at = 0; at + MEMBER_BYTES <= bucket.length; at += MEMBER_BYTES) {
    const bits = bitCount(view.getInt32(at + 4, true) ^ of.high) + bitCount(view.getInt32(at + 8, true) ^ of.low)
    if (bits <= maxBits) rows.add(view.getUint32(at, true))
  }
}

/** The bucket with one more member, without its oldest if it was full. */
export function withMember(bucket: Uint8Array | undefined, row: number, { high, low }: Halves): Uint8Array {
  const kept = bucket?.subarray(Math.max(0, bucket.length - (MAX_MEMBERS - 1) * MEMBER_BYTES)) ?? new Uint8Array(0)
  const larger = new Uint8Array(kept.length + MEMBER_BYTES)
  larger.set(kept)
  const view = new DataView(larger.buffer, kept.length)
  view.setUint32(0, row, true)
  view.setInt32(4, high, true)
  view.setInt32(8, low, true)
  return larger
}
