import { Attribute } from './attributes.ts'
import { OpenElements } from './open-elements.ts'
import type { Scanner } from './scanner.ts'
import { TABLE_PART, Tag, tagFlags, UNSEEN } from './tags.ts'

/**
 * What a reader sees of a document, as far as markup alone can tell: not the content of `template` and `noscript` ("please
 * enable JavaScript"), of elements with the attribute `hidden`, nor of titles and annotations inside svg and math.
 */
export class Visibility {
  readonly #scanner: Scanner
  readonly #open = new OpenElements()
  /** Depth of the outermost hidden element; what is deeper is not shown. */
  #hiddenDepth = NOT_HIDDEN

  constructor(scanner: Scanner) {
    this.#scanner = scanner
  }

  get visible(): boolean {
    return this.#hiddenDepth === NOT_HIDDEN
  }

  /** Answers whether the start tag counts: rows and cells outside of tables do not. */
  start(): boolean {
    const scanner = this.#scanner
    const { tag } = scanner
    const flags = tagFlags[tag]!
    const open = this.#open
    if ((flags & TABLE_PART) !== 0 && !open.hasTable) return false
    const depth = open.start(tag, flags)
    if (depth <= this.#hiddenDepth) this.#hiddenDepth = NOT_HIDDEN
    if (scanner.foreign || (flags & UNSEEN) !== 0 || scanner.has(Attribute.hidden)) this.#startUnusual(tag, depth)
    return true
  }

  /** Answers the flags of what the end tag ends: `</p>` and `</br>` always count, others where they end something. */
  end(): number {
    const { tag } = this.#scanner
    const ended = this.#open.end(tag)
    if (this.#open.depth <= this.#hiddenDepth) this.#hiddenDepth = NOT_HIDDEN
    return tag === Tag.p || tag === Tag.br ? ended | tagFlags[tag]! : ended
  }

  #startUnusual(tag: number, depth: number): void {
    const scanner = this.#scanner
    const open = this.#open
    if (scanner.foreign && scanner.selfClosing) open.end(tag)
    else if (this.#hiddenDepth === NOT_HIDDEN && open.depth > depth && this.#hides(tag)) this.#hiddenDepth = depth
  }

  #hides(tag: number): boolean {
    const scanner = this.#scanner
    if (scanner.foreign) return FOREIGN_NOTES.includes(tag)
    if ((tagFlags[tag]! & UNSEEN) !== 0) return !(tag === Tag.template && scanner.has(Attribute.shadowrootmode))
    const start = scanner.valueStart(Attribute.hidden)
    const value = scanner.bytes.toString('latin1', start, Math.min(scanner.valueEnd(Attribute.hidden), start + 20))
    return value.toLowerCase() !== 'until-found'
  }
}

/** Deeper than any document. */
const NOT_HIDDEN = 0x3fffffff

const FOREIGN_NOTES: readonly number[] = [
  Tag.title,
  Tag.desc,
  Tag.metadata,
  Tag.style,
  Tag.script,
  Tag.annotation,
  Tag.annotationXml,
]
