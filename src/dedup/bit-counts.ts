/** So many numbers can be added up at once: what counts them has eight binary digits. */
export const maxNumbers = 248

const BITS = 32

/**
 * How many of many numbers have each of their 32 bits set. Eight numbers are added bit by bit, as adders of single bits do it,
 * all 32 at once, to the digits `ones`, `twos`, `fours`; only the eights are carried on. So a number takes some ten steps
 * where counting its bits one by one takes 32.
 */
export class BitCounts {
  readonly #counts = new Int32Array(BITS)

  clear(): void {
    this.#counts.fill(0)
  }

  of(bit: number): number {
    return this.#counts[bit]!
  }

  /** Adds `weight` for each number to the counts of its bits. Behind the numbers stand zeros up to a multiple of eight. */
  add(numbers: Int32Array, length: number, weight: number): void {
    let [ones, twos, fours, eights, p16, p32, p64, p128] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < length; i += 8) {
      // One by one: taking an array apart is not free, and this is done for each word.
      const a = numbers[i]!
      const b = numbers[i + 1]!
      const c = numbers[i + 2]!
      const d = numbers[i + 3]!
      const e = numbers[i + 4]!
      const f = numbers[i + 5]!
      const g = numbers[i + 6]!
      const h = numbers[i + 7]!
      const twosA = carry(ones, a, b)
      ones ^= a ^ b
      const twosB = carry(ones, c, d)
      ones ^= c ^ d
      const twosC = carry(ones, e, f)
      ones ^= e ^ f
      const twosD = carry(ones, g, h)
      ones ^= g ^ h
      const foursA = carry(twos, twosA, twosB)
      twos ^= twosA ^ twosB
      const foursB = carry(twos, twosC, twosD)
      twos ^= twosC ^ twosD
      const to8 = carry(fours, foursA, foursB)
      fours ^= foursA ^ foursB
      const to16 = eights & to8
      eights ^= to8
      const to32 = p16 & to16
      p16 ^= to16
      const to64 = p32 & to32
      p32 ^= to32
      p128 ^= p64 & to64
      p64 ^= to64
    }
    const counts = this.#counts
    for (let bit = 0; bit < BITS; bit++) {
      const low = digit(ones, bit, 0) | digit(twos, bit, 1) | digit(fours, bit, 2) | digit(eights, bit, 3)
      const high = digit(p16, bit, 4) | digit(p32, bit, 5) | digit(p64, bit, 6) | digit(p128, bit, 7)
      counts[bit]! += weight * (low | high)
    }
  }
}

/** Bits set in two or three of these. */
function carry(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c)
}

function digit(plane: number, bit: number, place: number): number {
  return ((plane >>> bit) & 1) << place
}
