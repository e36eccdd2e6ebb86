import { escapeLineStart, escapeMarkdown } from './markdown-escape.ts'

/** An emphasis or link that is open; closed before a line ends and opened again behind it. */
interface Span {
  readonly open: string
  readonly close: string
  /** Written, and not only waiting for its first word. */
  written: boolean
}

/** A list item or quotation: what its lines begin with. */
interface Container {
  readonly kind: 'item' | 'quote' | 'list'
  /** Of all lines but the first, with those around it. */
  readonly prefix: string
  /** Of the first line, until it is written. */
  first: string
}

/** Deeper nesting is not indented further. */
const MAX_NESTED = 16

/**
 * Writes Markdown from a stream of words, breaks and spans. Breaks, spaces and opening marks wait until a word comes, so
 * that empty elements leave no trace and marks stand next to the words they belong to.
 */
export class MarkdownWriter {
  readonly #maxChars: number
  #out = ''
  #break: 0 | 1 | 2 = 0
  #space = false
  #atLineStart = true
  #heading = ''
  readonly #spans: Span[] = []
  readonly #containers: Container[] = []
  /** Containers opened beyond the depth that is shown. */
  readonly #beyond: Container['kind'][] = []

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  get isFull(): boolean {
    return this.#out.length >= this.#maxChars
  }

  /** Ends the line; with `blank`, the paragraph. */
  breakLine(blank: boolean): void {
    this.#break = blank || this.#break === 2 ? 2 : 1
    this.#space = false
    this.#heading = ''
  }

  startHeading(level: number): void {
    this.breakLine(true)
    this.#heading = `${'#'.repeat(level)} `
  }

  /** Text in which white space has no meaning. */
  text(text: string): void {
    if (/^\s/.test(text)) this.#space = true
    const words = text.trim().replace(/\s+/g, ' ')
    if (words === '') return
    this.raw(escapeMarkdown(words), true)
    this.#space = /\s$/.test(text)
  }

  /** Markdown that is written as it is, inside a line. */
  raw(markdown: string, escapeStart = false): void {
    if (this.isFull) return
    this.#flush()
    this.#out += escapeStart && this.#atLineStart ? escapeLineStart(markdown) : markdown
    this.#atLineStart = false
  }

  /** Lines that are written as they are: code and tables. */
  block(lines: readonly string[]): void {
    this.breakLine(true)
    for (const line of lines) {
      if (this.isFull) return
      this.#flush()
      this.#out += line
      this.breakLine(false)
    }
    this.breakLine(true)
  }

  openSpan(open: string, close: string): void {
    if (this.#spans.length < MAX_NESTED) this.#spans.push({ open, close, written: false })
  }

  /** Closes the innermost span that ends this way, and those inside it. */
  closeSpan(close: (mark: string) => boolean): void {
    const at = this.#spans.findLastIndex((span) => close(span.close))
    if (at < 0) return
    for (const span of this.#spans.splice(at).reverse()) if (span.written) this.#out += span.close
  }

  hardBreak(): void {
    if (this.#heading !== '' || this.#break > 0 || this.#out === '') return
    this.#endLine('  ')
    this.#out += `\n${this.#prefix()}`
    this.#space = false
  }

  openContainer(kind: Container['kind'], first: string, rest: string): void {
    if (this.#containers.length >= MAX_NESTED) this.#beyond.push(kind)
    else this.#containers.push({ kind, first, prefix: this.#prefix() + rest })
  }

  /** Closes the innermost container of this kind, unless one of `shield` stands between. */
  closeContainer(kind: Container['kind'], shield?: Container['kind']): void {
    for (let last = this.#beyond.at(-1); last !== undefined; last = this.#beyond.at(-1)) {
      if (last === shield) return
      this.#beyond.pop()
      if (last === kind) return
    }
    const at = this.#containers.findLastIndex((container) => container.kind === kind || container.kind === shield)
    if (at >= 0 && this.#containers[at]!.kind === kind) this.#containers.length = at
  }

  toString(): string {
    this.closeSpan(() => true)
    return `${this.#out.trim()}\n`
  }

  #prefix(): string {
    return this.#containers.at(-1)?.prefix ?? ''
  }

  /** Writes what waited for a word: the break, the prefix of the line, the space, the opening marks. */
  #flush(): void {
    if (this.#break > 0 || this.#out === '') this.#startLine()
    else if (this.#space) this.#out += ' '
    this.#space = false
    for (const span of this.#spans) {
      if (span.written) continue
      this.#out += span.open
      span.written = true
    }
  }

  #startLine(): void {
    if (this.#out !== '') {
      this.#endLine('')
      this.#out += this.#break === 2 ? `\n${this.#prefixBefore().trimEnd()}\n` : '\n'
    }
    this.#out += this.#prefixBefore()
    for (const container of this.#containers) {
      this.#out += container.first
      container.first = ''
    }
    this.#out += this.#heading
    this.#heading = ''
    this.#break = 0
    this.#atLineStart = true
  }

  /** The prefix of containers whose first line is written. */
  #prefixBefore(): string {
    const fresh = this.#containers.findIndex((container) => container.first !== '')
    if (fresh < 0) return this.#prefix()
    return fresh === 0 ? '' : this.#containers[fresh - 1]!.prefix
  }

  #endLine(end: string): void {
    for (const span of this.#spans.toReversed()) {
      if (span.written) this.#out += span.close
      span.written = false
    }
    this.#out += end
  }
}
