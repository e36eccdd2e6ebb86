const separator = 0x0a

/** Names of very many hosts, in the order in which they came: bytes outside the heap, and 4 more for where each begins. */
export class HostNames {
  #bytes = Buffer.alloc(1 << 16)
  #used = 0
  #starts = new Uint32Array(1 << 12)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(name: string): void {
    const length = Buffer.byteLength(name)
    while (this.#used + length + 1 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length)
    // One place more than there are names: where the next begins is where the last ends.
    if (this.#count + 2 > this.#starts.length) this.#starts = grown(this.#starts)
    this.#bytes.write(name, this.#used)
    this.#bytes[this.#used + length] = separator
    this.#used += length + 1
    this.#starts[++this.#count] = this.#used
  }

  at(index: number): string {
    return this.#bytes.toString('utf8', this.#starts[index]!, this.#endOf(index))
  }

  /** Below 0: the first comes before the second. */
  compare(one: number, other: number): number {
    const starts = this.#starts
    return this.#bytes.compare(this.#bytes, starts[other]!, this.#endOf(other), starts[one]!, this.#endOf(one))
  }

  /** Those that contain a text, in order. */
  *containing(text: string): Iterable<number> {
    if (text.includes('\n')) return
    const wanted = Buffer.from(text)
    const known = this.#bytes.subarray(0, this.#used)
    let index = 0
    for (let found = known.indexOf(wanted); found >= 0; found = known.indexOf(wanted, this.#starts[index])) {
      index = this.#ownerOf(found, index)
      yield index++
    }
  }

  #endOf(index: number): number {
    return this.#starts[index + 1]! - 1
  }

  /** Whose name has the byte at this place; not before `low`. */
  #ownerOf(place: number, low: number): number {
    let [from, to] = [low, this.#count - 1]
    while (from < to) {
      const middle = (from + to + 1) >>> 1
      if (this.#starts[middle]! <= place) from = middle
      else to = middle - 1
    }
    return from
  }
}

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
