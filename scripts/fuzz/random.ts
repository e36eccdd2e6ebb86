/** Numbers that look random and follow from a seed, so that every input can be made again. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 up to, and not with, `end`. */
  below(end: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** True once in so many times. */
  rarely(times: number): boolean {
    return this.below(times) === 0
  }
}

/** One seed out of several numbers and a name. */
export function seedOf(name: string, ...numbers: readonly number[]): number {
  let hash = 0x811c9dc5
  for (const part of [...Buffer.from(name), ...numbers]) hash = Math.imul(hash ^ part, 0x01000193) + (part >>> 8)
  return hash | 0
}
