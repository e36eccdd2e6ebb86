import { randomInt } from 'node:crypto'
import { webSchemeEnd } from './reference-shape.ts'

const SLASH = 0x2f

/**
 * Tells references apart by their bytes as they stand in the document: within it by a hash, and from page to page by 64
 * bits, so that one which was met before need not become a string again. These are begun by chance: nobody can know two
 * references with the same key.
 */
export class ReferenceKey {
  /** Each byte is a digit to the base 31. */
  hash = 0
  /** 0, 0: it has no key. Only one that names its host, or begins at the root of the base's, has. */
  low = 0
  high = 0
  readonly #seedLow = randomInt(2 ** 32) | 0
  readonly #seedHigh = randomInt(2 ** 32) | 0

  /** `view`: of the same bytes. */
  read(bytes: Buffer, view: DataView, start: number, end: number): void {
    let hash = end - start
    let low = this.#seedLow ^ hash
    let high = this.#seedHigh
    let at = start
    for (const last = end - 4; at <= last; at += 4) {
      const four = view.getInt32(at, true)
      // Two digits of two at once, then one of four.
      const pairs = Math.imul(four & 0xff00ff, 31) + ((four >>> 8) & 0xff00ff)
      hash = (Math.imul(hash, 923_521) + Math.imul(pairs & 0xffff, 961) + (pairs >>> 16)) | 0
      low = Math.imul(low ^ four, 0x9e3779b1)
      high = Math.imul(high ^ four ^ (low >>> 15), 0x85ebca6b)
      low ^= high >>> 13
    }
    let rest = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      hash = (Math.imul(hash, 31) + byte) | 0
      rest = (rest << 8) | byte
    }
    this.hash = hash
    const hasKey = start < end && (bytes[start] === SLASH || webSchemeEnd(bytes, start, end) >= 0)
    low = Math.imul(low ^ rest, 0x9e3779b1)
    high = Math.imul(high ^ rest ^ (low >>> 15), 0x85ebca6b)
    low = Math.imul(low ^ (high >>> 13), 0xc2b2ae35)
    this.low = hasKey ? (low ^ (low >>> 16)) | 1 : 0
    this.high = hasKey ? high ^ (high >>> 16) : 0
  }
}
