import type { ParseConfig } from './config.ts'
import type { PageText } from './page-text.ts'
import type { Scanner } from './scanner.ts'
import { BLOCK, SPACE, Tag, tagFlags } from './tags.ts'
import { TextWriter } from './text.ts'
import { truncate } from './truncate.ts'
import { Visibility } from './visibility.ts'

/** Something whose text may be wanted: a link. */
export interface Labelled {
  /** Places in the visible text; the same where there is none. */
  label(start: number, end: number): void
}

/** The visible text of a document, and that of its links. */
export class VisibleText {
  readonly #scanner: Scanner
  readonly #writer: TextWriter
  readonly #visibility: Visibility
  readonly #maxAnchorChars: number
  #link: Labelled | undefined
  #linkStart = 0

  constructor(scanner: Scanner, config: ParseConfig) {
    this.#scanner = scanner
    this.#visibility = new Visibility(scanner)
    this.#maxAnchorChars = config.maxAnchorChars
    this.#writer = new TextWriter(config.maxTextBytes, scanner.bytes)
  }

  start(): void {
    if (this.#visibility.start()) this.#part(tagFlags[this.#scanner.tag]!)
  }

  end(): void {
    const ended = this.#visibility.end()
    if (this.#scanner.tag === Tag.a) this.#endLink()
    this.#part(ended)
  }

  /** Where text that is seen goes. */
  get writer(): TextWriter | undefined {
    return this.#visibility.visible ? this.#writer : undefined
  }

  rawText(): void {
    const { tag, start, end, references } = this.#scanner
    if (isShownRaw(tag)) this.writer?.add(start, end, references)
  }

  /** The text from here to the end of the `a` is the link's. */
  linkStart(link: Labelled): void {
    this.#endLink()
    this.#link = link
    this.#linkStart = this.#writer.length
  }

  finish(): void {
    this.#endLink()
  }

  text(): PageText {
    return this.#writer.text()
  }

  /** The text of a link, by its places. */
  labelBetween(start: number, end: number): string {
    const text = this.#writer.between(start, end)
    return truncate(text.includes('\n') ? text.replaceAll('\n', ' ') : text, this.#maxAnchorChars)
  }

  #endLink(): void {
    const link = this.#link
    if (link === undefined) return
    this.#link = undefined
    const start = this.#writer.labelStart(this.#linkStart)
    link.label(start, this.#writer.labelEnd(start, this.#maxAnchorChars * 4))
  }

  #part(flags: number): void {
    if ((flags & BLOCK) !== 0) this.#writer.breakLine()
    else if ((flags & SPACE) !== 0) this.#writer.partWords()
  }
}

/** Elements of raw text that browsers show. */
export function isShownRaw(tag: number): boolean {
  return tag === Tag.textarea || tag === Tag.xmp || tag === Tag.plaintext
}
