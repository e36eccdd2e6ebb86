import { bitCount } from '../../simhash.ts'

/**
 * The originals that share one block of their SimHash, packed as 12 bytes each: row, upper half, lower half. It holds the
 * newest 512: at that size (6 KiB) it fills at 33 million evenly spread originals, and a block that a template has crowded
 * costs no more than any other. An original pushed out of all its four buckets is no longer found: a near-duplicate is
 * then missed, never invented.
 */
export const MAX_MEMBERS = 512

const MEMBER_BYTES = 12
/** Four times the values of 16 bits. */
export const BLOCKS = 0x40000

/** A SimHash as two signed 32-bit halves. */
export interface Halves {
  readonly high: number
  readonly low: number
}

export interface Member extends Halves {
  readonly row: number
}

export function halvesOf(simhash: string): Halves | undefined {
  if (!/^[0-9a-f]{16}$/.test(simhash)) return undefined
  return { high: Number.parseInt(simhash.slice(0, 8), 16) | 0, low: Number.parseInt(simhash.slice(8), 16) | 0 }
}

/** The buckets a fingerprint belongs to: one for each of its four blocks. */
export function blocksOf({ high, low }: Halves): readonly number[] {
  return [high >>> 16, 0x10000 + (high & 0xffff), 0x20000 + (low >>> 16), 0x30000 + (low & 0xffff)]
}

export function differingBits(a: Halves, high: number, low: number): number {
  return bitCount(a.high ^ high) + bitCount(a.low ^ low)
}

/** Adds the rows of members that are near. */
export function nearIn(bucket: Uint8Array, isNear: (high: number, low: number) => boolean, rows: number[]): void {
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.length)
  for (let at = 0; at + MEMBER_BYTES <= bucket.length; at += MEMBER_BYTES)
    if (isNear(view.getInt32(at + 4, true), view.getInt32(at + 8, true))) rows.push(view.getUint32(at, true))
}

/** The bucket with further members, without its oldest where it would be too full. */
export function withMembers(bucket: Uint8Array | undefined, added: readonly Member[]): Uint8Array {
  const old = bucket ?? new Uint8Array(0)
  const larger = new Uint8Array(old.length + added.length * MEMBER_BYTES)
  larger.set(old)
  const view = new DataView(larger.buffer)
  let at = old.length
  for (const { row, high, low } of added) {
    view.setUint32(at, row, true)
    view.setInt32(at + 4, high, true)
    view.setInt32(at + 8, low, true)
    at += MEMBER_BYTES
  }
  return larger.subarray(Math.max(0, larger.length - MAX_MEMBERS * MEMBER_BYTES))
}
