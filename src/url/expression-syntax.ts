/** What a regular expression says, in JavaScript's notation as far as it can be matched in linear time. */
export type Syntax =
  | { readonly kind: 'set'; readonly set: Uint8Array }
  | { readonly kind: 'start' | 'end' | 'edge' | 'inside' }
  | { readonly kind: 'sequence' | 'choice'; readonly items: readonly Syntax[] }
  | { readonly kind: 'repeat'; readonly item: Syntax; readonly min: number; readonly max: number }

const MAX_CHARS = 1000
const MAX_NESTING = 50

const where = (test: (character: string) => boolean) =>
  Uint8Array.from({ length: 128 }, (_, code) => Number(test(String.fromCharCode(code))))

const CLASSES: Readonly<Record<string, Uint8Array>> = {
  d: where((character) => /\d/.test(character)),
  D: where((character) => /\D/.test(character)),
  w: where((character) => /\w/.test(character)),
  W: where((character) => /\W/.test(character)),
  s: where((character) => /\s/.test(character)),
  S: where((character) => /\S/.test(character)),
}
const ANY = where((character) => /./.test(character))
const ASSERTIONS = { '^': 'start', $: 'end' } as const

/** Throws a SyntaxError whose message says what is wrong. */
export function parseExpression(source: string): Syntax {
  if (source.length > MAX_CHARS) throw new SyntaxError('it is too long')
  // The engine's own parser first: its messages are known, and what follows need not find every fault.
  new RegExp(source)
  return new Parser(source).parse()
}

class Parser {
  readonly #source: string
  #at = 0
  #nesting = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): Syntax {
    const syntax = this.#choice()
    if (this.#at < this.#source.length) throw new SyntaxError(`${this.#source[this.#at]} is not expected`)
    return syntax
  }

  #choice(): Syntax {
    if (++this.#nesting > MAX_NESTING) throw new SyntaxError('it is nested too deeply')
    const items = [this.#sequence()]
    while (this.#take('|')) items.push(this.#sequence())
    this.#nesting--
    return items.length === 1 ? items[0]! : { kind: 'choice', items }
  }

  #sequence(): Syntax {
    const items: Syntax[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) items.push(this.#repeated())
    return { kind: 'sequence', items }
  }

  #repeated(): Syntax {
    const item = this.#item()
    const bounds = this.#bounds()
    return bounds ? { kind: 'repeat', item, ...bounds } : item
  }

  #bounds(): { min: number; max: number } | undefined {
    const [text, sign, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? []
    if (text === undefined) return undefined
    this.#at += text.length
    if (sign) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
    const min = Number(from)
    return { min, max: to ? Number(to) : comma ? Number.POSITIVE_INFINITY : min }
  }

  #item(): Syntax {
    const character = this.#next()
    if (character === '(') return this.#group()
    if (character === '[') return { kind: 'set', set: this.#class() }
    if (character === '.') return { kind: 'set', set: ANY }
    if (character === '^' || character === '$') return { kind: ASSERTIONS[character] }
    if (character === '\\') return this.#escape()
    return literal(character)
  }

  #group(): Syntax {
    if (this.#take('?') && !this.#take(':')) {
      if (!/^<[a-z_]/i.test(this.#source.slice(this.#at))) throw new SyntaxError('look-around is not supported')
      this.#at = this.#source.indexOf('>', this.#at) + 1
    }
    const inner = this.#choice()
    if (!this.#take(')')) throw new SyntaxError('a group is not closed')
    return inner
  }

  #escape(): Syntax {
    const character = this.#next()
    if (character === 'b' || character === 'B') return { kind: character === 'b' ? 'edge' : 'inside' }
    if (/[1-9k]/.test(character)) throw new SyntaxError('back-references are not supported')
    const set = CLASSES[character]
    return set ? { kind: 'set', set } : literal(escaped(character))
  }

  #class(): Uint8Array {
    const negated = this.#take('^')
    const set = new Uint8Array(128)
    while (!this.#take(']')) {
      const from = this.#member()
      if (typeof from !== 'string' || this.#peek() !== '-' || this.#source[this.#at + 1] === ']') {
        include(set, from)
        continue
      }
      this.#at++
      const to = this.#member()
      if (typeof to === 'string') for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) set[code] = 1
      else for (const member of [from, '-', to]) include(set, member)
    }
    return negated ? set.map((held) => 1 - held) : set
  }

  /** One character of a class, or the set that an escape in it stands for. */
  #member(): string | Uint8Array {
    const character = this.#next()
    if (character !== '\\') {
      if (character > '\x7f') throw new SyntaxError(`${character} cannot stand in a class: URLs hold it as an escape`)
      return character
    }
    const name = this.#next()
    return CLASSES[name] ?? (name === 'b' ? '\b' : escaped(name))
  }

  #next(): string {
    const character = this.#source.codePointAt(this.#at)
    if (character === undefined) throw new SyntaxError('it ends too early')
    const text = String.fromCodePoint(character)
    this.#at += text.length
    return text
  }

  #peek(): string {
    return this.#source.charAt(this.#at)
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }
}

function include(set: Uint8Array, member: string | Uint8Array): void {
  if (typeof member === 'string') set[member.charCodeAt(0)] = 1
  else for (let code = 0; code < 128; code++) set[code]! |= member[code]!
}

/** A character as URLs hold it: beyond ASCII, that is the escapes of its bytes. */
function literal(character: string): Syntax {
  const text = character > '\x7f' ? encodeURIComponent(character.toWellFormed()) : character
  const sets = [...text].map((one): Syntax => ({ kind: 'set', set: where((other) => other === one) }))
  return sets.length === 1 ? sets[0]! : { kind: 'sequence', items: sets }
}

/** Letters and digits after a backslash would mean something else; everything else means itself. */
function escaped(character: string): string {
  if (/[a-z0-9]/i.test(character)) throw new SyntaxError(`\\${character} is not supported`)
  return character
}
