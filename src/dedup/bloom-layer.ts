import { mix } from './mix.ts'

/** One Bloom filter of a fixed size. */
export interface BloomLayer {
  readonly capacity: number
  readonly count: number
  readonly bits: Uint8Array
  has(fingerprint: number): boolean
  /** False: all its bits were set already, nothing changed. */
  add(fingerprint: number): boolean
}

/** Places are found by 32-bit arithmetic: a layer has at most 512 MiB (some 270 million fingerprints). */
const MAX_BITS = 2 ** 32

export function bloomLayer(wanted: number, falsePositives: number, initialCount = 0): BloomLayer {
  const bitsEach = -Math.log2(falsePositives) / Math.LN2
  const capacity = Math.min(wanted, Math.floor(MAX_BITS / bitsEach))
  const places = Math.round(bitsEach * Math.LN2)
  const size = Math.min(MAX_BITS, Math.ceil((capacity * bitsEach) / 64) * 64)
  const scale = size / 2 ** 32
  const bits = new Uint8Array(size / 8)
  let count = initialCount

  return {
    capacity,
    get count() {
      return count
    },
    bits,
    has(fingerprint) {
      const high = (fingerprint / 2 ** 32) | 0
      let place = mix(fingerprint ^ Math.imul(high, 0x9e3779b1))
      let step = mix(place ^ high ^ 0x5bf03635)
      for (let i = 0; i < places; i++) {
        const bit = Math.floor((place >>> 0) * scale)
        if ((bits[Math.floor(bit / 8)]! & (1 << (bit & 7))) === 0) return false
        place = (place + step) | 0
        // A step that changes keeps fingerprints with the same place and step from sharing all places.
        step = (step + i) | 0
      }
      return true
    },
    add(fingerprint) {
      const high = (fingerprint / 2 ** 32) | 0
      let place = mix(fingerprint ^ Math.imul(high, 0x9e3779b1))
      let step = mix(place ^ high ^ 0x5bf03635)
      let isNew = false
      for (let i = 0; i < places; i++) {
        const bit = Math.floor((place >>> 0) * scale)
        const byte = Math.floor(bit / 8)
        const before = bits[byte]!
        const after = before | (1 << (bit & 7))
        if (after !== before) {
          bits[byte] = after
          isNew = true
        }
        place = (place + step) | 0
        step = (step + i) | 0
      }
      if (isNew) count++
      return isNew
    },
  }
}
