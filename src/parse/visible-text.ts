import { Attribute } from './attributes.ts'
import type { ParseConfig } from './config.ts'
import { OpenElements } from './open-elements.ts'
import type { Scanner } from './scanner.ts'
import { BLOCK, SPACE, Tag, tagFlags, UNSEEN } from './tags.ts'
import { TextWriter } from './text.ts'
import { collapse, truncate } from './truncate.ts'

/** Something whose text is wanted: a link. */
export interface Labelled {
  text: string
}

/**
 * What a reader sees of a document, as far as markup alone can tell: not `script`, `style`, `template`, `noscript`
 * ("please enable JavaScript"), elements with the attribute `hidden`, nor titles and annotations inside svg and math.
 */
export class VisibleText {
  readonly #scanner: Scanner
  readonly #writer: TextWriter
  readonly #open = new OpenElements()
  readonly #maxAnchorChars: number
  /** Depth of the outermost hidden element; what is deeper is not shown. */
  #hiddenDepth = VISIBLE
  #link: Labelled | undefined
  #linkStart = 0

  constructor(scanner: Scanner, config: ParseConfig) {
    this.#scanner = scanner
    this.#maxAnchorChars = config.maxAnchorChars
    this.#writer = new TextWriter(config.maxTextBytes, scanner.bytes.length >> 2)
  }

  start(): void {
    const scanner = this.#scanner
    const { tag } = scanner
    const open = this.#open
    const depth = open.start(tag)
    if (depth <= this.#hiddenDepth) this.#hiddenDepth = VISIBLE
    if (scanner.foreign && scanner.selfClosing) open.end(tag)
    else if (this.#hiddenDepth === VISIBLE && open.depth > depth && this.#hides(tag)) this.#hiddenDepth = depth
    this.#part(tag)
  }

  end(): void {
    const { tag } = this.#scanner
    this.#open.end(tag)
    if (this.#open.depth <= this.#hiddenDepth) this.#hiddenDepth = VISIBLE
    if (tag === Tag.a) this.#endLink()
    this.#part(tag)
  }

  text(): void {
    if (this.#hiddenDepth !== VISIBLE) return
    const scanner = this.#scanner
    this.#writer.add(scanner.bytes, scanner.start, scanner.end, scanner.references)
  }

  rawText(): void {
    const { tag } = this.#scanner
    if (tag === Tag.textarea || tag === Tag.xmp || tag === Tag.plaintext) this.text()
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

  toString(): string {
    return this.#writer.toString()
  }

  #endLink(): void {
    const link = this.#link
    if (link === undefined) return
    this.#link = undefined
    const text = this.#writer.between(this.#linkStart, this.#writer.length, this.#maxAnchorChars * 4)
    link.text = truncate(collapse(text), this.#maxAnchorChars)
  }

  #part(tag: number): void {
    const flags = tagFlags[tag]!
    if ((flags & BLOCK) !== 0) this.#writer.breakLine()
    else if ((flags & SPACE) !== 0) this.#writer.partWords()
  }

  #hides(tag: number): boolean {
    const scanner = this.#scanner
    if (scanner.foreign) return isForeignNote(tag)
    if ((tagFlags[tag]! & UNSEEN) !== 0) return !(tag === Tag.template && scanner.has(Attribute.shadowrootmode))
    if (!scanner.has(Attribute.hidden)) return false
    const start = scanner.valueStart(Attribute.hidden)
    const value = scanner.bytes.toString('latin1', start, Math.min(scanner.valueEnd(Attribute.hidden), start + 20))
    return value.toLowerCase() !== 'until-found'
  }
}

/** Deeper than any document. */
const VISIBLE = 0x3fffffff

const FOREIGN_NOTES: readonly number[] = [
  Tag.title,
  Tag.desc,
  Tag.metadata,
  Tag.style,
  Tag.script,
  Tag.annotation,
  Tag.annotationXml,
]

function isForeignNote(tag: number): boolean {
  return FOREIGN_NOTES.includes(tag)
}
