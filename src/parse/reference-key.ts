import { randomInt } from 'node:crypto'
import { webSchemeEnd } from './reference-shape.ts'

const SLASH = 0x2f

/**
 * Tells references apart by 64 bits, made of their bytes as they stand in the document, so that one which was met before
 * need not become a string again. Begun by chance: nobody can know two references with the same key.
 */
export class ReferenceKey {
  low = 0
  high = 0
  readonly #seedLow = randomInt(2 ** 32)
  readonly #seedHigh = randomInt(2 ** 32)

  /** Answers whether the reference has a key: only one that names its host, or begins at the root of the base's. */
  read(bytes: Buffer, start: number, end: number): boolean {
    this.low = 0
    this.high = 0
    if (start === end || (bytes[start] !== SLASH && webSchemeEnd(bytes, start, end) < 0)) return false
    let low = this.#seedLow ^ (end - start)
    let high = this.#seedHigh
    let at = start
    for (const last = end - 4; at <= last; at += 4) {
      const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
      low = Math.imul(low ^ four, 0x9e3779b1)
      high = Math.imul(high ^ four ^ (low >>> 15), 0x85ebca6b)
      low ^= high >>> 13
    }
    let rest = 0
    for (; at < end; at++) rest = (rest << 8) | bytes[at]!
    low = Math.imul(low ^ rest, 0x9e3779b1)
    high = Math.imul(high ^ rest ^ (low >>> 15), 0x85ebca6b)
    low = Math.imul(low ^ (high >>> 13), 0xc2b2ae35)
    this.low = (low ^ (low >>> 16)) | 1
    this.high = high ^ (high >>> 16)
    return true
  }
}
