/** What is told of XML as it comes. Names are in lower case, with their prefix. */
export interface XmlHandler {
  /** `attributes`: as they stand in the tag. */
  open(name: string, attributes: string): void
  /** With character references resolved; a long text may come in pieces. */
  text(text: string): void
  close(name: string): void
}

/** Longer tags are no markup, and longer texts come in pieces: so much is held back at most. */
const MAX_PENDING = 65_536

/**
 * Reads XML piece by piece, in bounded memory and linear time whatever it holds. Not a validating reader: tags need not
 * match, what is no markup counts as text, and no entity is ever expanded but the five of XML and those by number.
 */
export class XmlEvents {
  readonly #handler: XmlHandler
  #rest = ''
  /** What ends the comment, instruction or CDATA section that has begun. */
  #until = ''

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  write(text: string): void {
    this.#drain(this.#rest + text, false)
  }

  end(): void {
    this.#drain(this.#rest, true)
    this.#rest = ''
  }

  #drain(text: string, isLast: boolean): void {
    let at = 0
    for (;;) {
      const next = this.#until === '' ? this.#step(text, at, isLast) : this.#pass(text, at)
      if (next < 0) {
        this.#rest = text.slice(-next - 1)
        return
      }
      at = next
    }
  }

  /** One text and the markup behind it; answers where it goes on, or -1 minus the place from which to wait for more. */
  #step(text: string, at: number, isLast: boolean): number {
    const open = text.indexOf('<', at)
    if (open < 0) {
      if (!isLast && text.length - at <= MAX_PENDING) return -at - 1
      this.#text(text.slice(at))
      return -text.length - 1
    }
    if (open > at) this.#text(text.slice(at, open))
    const section = SECTIONS.find(({ begins }) => text.startsWith(begins, open))
    if (section) {
      this.#until = section.ends
      return open + section.begins.length
    }
    // A section's beginning may be cut in two.
    if (!isLast && text.length - open < LONGEST_BEGINNING) return -open - 1
    const end = tagEnd(text, open)
    if (end === INCOMPLETE) {
      if (!isLast && text.length - open <= MAX_PENDING) return -open - 1
      return open + 1
    }
    if (text[end] === '>') this.#tag(text.slice(open + 1, end))
    return text[end] === '>' ? end + 1 : end
  }

  #pass(text: string, at: number): number {
    const until = this.#until
    const found = text.indexOf(until, at)
    const end = found < 0 ? Math.max(at, text.length - until.length + 1) : found
    if (until === CDATA_END && end > at) this.#handler.text(text.slice(at, end))
    if (found < 0) return -end - 1
    this.#until = ''
    return found + until.length
  }

  #text(text: string): void {
    this.#handler.text(withoutReferences(text))
  }

  #tag(tag: string): void {
    if (tag[0] === '!') return
    const isEnd = tag[0] === '/'
    const isWhole = tag.endsWith('/')
    const inner = tag.slice(isEnd ? 1 : 0, isWhole ? -1 : undefined)
    const space = inner.search(/\s/)
    const name = (space < 0 ? inner : inner.slice(0, space)).toLowerCase()
    if (name === '') return
    if (!isEnd) this.#handler.open(name, space < 0 ? '' : inner.slice(space))
    if (isEnd || isWhole) this.#handler.close(name)
  }
}

const CDATA_END = ']]>'
const SECTIONS = [
  { begins: '<!--', ends: '-->' },
  { begins: '<![CDATA[', ends: CDATA_END },
  { begins: '<?', ends: '?>' },
]
const LONGEST_BEGINNING = 9
const INCOMPLETE = -1

/** Where a tag ends: at its `>`, or at a `<` that cannot be in it. */
function tagEnd(text: string, open: number): number {
  const limit = Math.min(text.length, open + MAX_PENDING)
  let quote = ''
  for (let at = open + 1; at < limit; at++) {
    const char = text[at]!
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '>' || char === '<') return at
  }
  return INCOMPLETE
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}

/** The value of an attribute in the text of a tag; `undefined`: there is none. */
export function xmlAttribute(attributes: string, name: string): string | undefined {
  for (const [, found, double, single] of attributes.matchAll(
    /(?<![^\s"'])([^\s="'<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    if (found!.toLowerCase() === name) return withoutReferences(double ?? single ?? '')
  return undefined
}
