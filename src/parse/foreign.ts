import { BREAKS_OUT, Tag, tagFlags } from './tags.ts'

/** Deeper nesting of svg, math and HTML in one another is not followed. */
const MAX_DEPTH = 128

/**
 * Where `svg` and `math` begin and end, as far as the tokenizer must know: inside them `title`, `style` and `script` are
 * ordinary elements and CDATA sections exist; inside `foreignObject` and its like HTML goes on; and certain HTML tags end
 * them at once (HTML standard, 13.2.6.5).
 */
export class ForeignContext {
  /** Open `svg` and `math`, and the elements in them whose content is HTML again. */
  readonly #open: number[] = []

  /** Is what comes next foreign content? */
  get inside(): boolean {
    return this.#open.length > 0 && isRoot(this.#open.at(-1)!)
  }

  get touched(): boolean {
    return this.#open.length > 0
  }

  /** Answers whether the element itself is foreign. `breaksOut`: a `font` with one of the attributes that end svg. */
  start(tag: number, selfClosing: boolean, breaksOut: boolean, htmlEncoding: boolean): boolean {
    if (this.inside) {
      if ((tagFlags[tag]! & BREAKS_OUT) !== 0 || (tag === Tag.font && breaksOut)) {
        this.#leave()
        return false
      }
      if (!selfClosing && (isRoot(tag) || this.#isIntegrationPoint(tag, htmlEncoding))) this.#push(tag)
      return true
    }
    if (!isRoot(tag)) return this.#open.length > 0 && (tag === Tag.mglyph || tag === Tag.malignmark)
    if (!selfClosing) this.#push(tag)
    return true
  }

  end(tag: number): void {
    const open = this.#open
    if (this.inside) {
      const at = open.lastIndexOf(tag)
      if (tag === Tag.p || tag === Tag.br) this.#leave()
      else if (at >= 0) open.length = at
    } else if (open.at(-1) === tag) open.length--
    else if (tag === Tag.svg && isNote(open.at(-1)!)) open.length = Math.max(0, open.lastIndexOf(tag))
  }

  #push(tag: number): void {
    if (this.#open.length < MAX_DEPTH) this.#open.push(tag)
  }

  #leave(): void {
    while (this.inside) this.#open.length--
  }

  #isIntegrationPoint(tag: number, htmlEncoding: boolean): boolean {
    if (this.#open.at(-1) === Tag.svg) return tag === Tag.foreignObject || tag === Tag.desc || tag === Tag.title
    if (tag === Tag.annotationXml) return htmlEncoding
    return tag === Tag.mi || tag === Tag.mn || tag === Tag.mo || tag === Tag.ms || tag === Tag.mtext
  }
}

/** Elements of svg that are often left open, so that its end is theirs. */
function isNote(tag: number): boolean {
  return tag === Tag.title || tag === Tag.desc
}

function isRoot(tag: number): boolean {
  return tag === Tag.svg || tag === Tag.math
}
