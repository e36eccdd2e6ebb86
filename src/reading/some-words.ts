const WINDOW = 4
const SLOTS = 1 << 14

/**
 * Whether any of some words stands in a text, in one pass, however many they are: at every byte the last four are looked up.
 * It is asked of every page before expressions are that hardly any page fits, of which each would go over the whole text.
 * Words are ASCII, of four letters at least; case does not count. The rarer their last four letters, the better.
 */
export class SomeWords {
  /** By hash of its last four bytes: whether a word may end there. */
  readonly #mayEnd = new Uint8Array(SLOTS)
  readonly #byEnding = new Map<number, Buffer[]>()

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(Buffer.from(word, 'latin1').map(folded) as Buffer)
  }

  /** True may be wrong where signs differ in their sixth bit alone, as `[` and `{` do; false never is. */
  standIn(bytes: Uint8Array, end = bytes.length): boolean {
    const mayEnd = this.#mayEnd
    let ending = 0
    for (let at = 0; at < end; at++) {
      ending = (ending << 8) | folded(bytes[at]!)
      if (mayEnd[slotOf(ending)] !== 0 && this.#endsHere(ending, bytes, at + 1)) return true
    }
    return false
  }

  #add(word: Buffer): void {
    const ending = word.readInt32BE(word.length - WINDOW)
    this.#mayEnd[slotOf(ending)] = 1
    this.#byEnding.set(ending, [...(this.#byEnding.get(ending) ?? []), word])
  }

  #endsHere(ending: number, bytes: Uint8Array, end: number): boolean {
    return this.#byEnding.get(ending)?.some((word) => isAt(bytes, end - word.length, word)) ?? false
  }
}

function isAt(bytes: Uint8Array, at: number, word: Buffer): boolean {
  return at >= 0 && word.every((letter, i) => folded(bytes[at + i]!) === letter)
}

function folded(byte: number): number {
  return byte | 0x20
}

function slotOf(ending: number): number {
  return Math.imul(ending, 0x9e3779b1) >>> 18
}
