/** Spreads every bit of a 32-bit number over all of them: a finalizer in the manner of MurmurHash. */
export function mix(hash: number): number {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x7feb352d)
  h ^= h >>> 15
  h = Math.imul(h, 0x846ca68b)
  return h ^ (h >>> 16)
}
