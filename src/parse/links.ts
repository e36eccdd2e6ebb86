import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import type { ParseConfig } from './config.ts'
import { KnownHashes } from './known-hashes.ts'
import { hreflangText, LinkElements, sameBytes } from './link-elements.ts'
import type { Link, LinkKind } from './page.ts'
import { ReferenceKey } from './reference-key.ts'
import type { References } from './references.ts'
import type { Base } from './resolve.ts'
import type { Scanner } from './scanner.ts'
import { Tag } from './tags.ts'
import type { Labelled } from './visible-text.ts'

const AMPERSAND = 0x26

/** A link as it was found: places in the document, since most of what a link could say is never asked for. */
class FoundLink implements Labelled {
  readonly kind: LinkKind
  readonly hrefStart: number
  readonly hrefEnd: number
  /** Set instead of the places where the reference is not an attribute's whole value. */
  readonly href: string | undefined
  readonly rel: string
  /** As of its reference; 0, 0: it has none. */
  keyLow = 0
  keyHigh = 0
  hreflang = ''
  labelStart = 0
  labelEnd = 0

  constructor(kind: LinkKind, rel: string, hrefStart: number, hrefEnd: number, href?: string) {
    this.kind = kind
    this.rel = rel
    this.hrefStart = hrefStart
    this.hrefEnd = hrefEnd
    this.href = href
  }

  get hasText(): boolean {
    return this.hreflang !== '' || this.labelStart < this.labelEnd
  }

  label(start: number, end: number): void {
    this.hreflang = ''
    this.labelStart = start
    this.labelEnd = end
  }
}

const key = new ReferenceKey()
/** By hash of the reference: which of those found it was last. Menus repeat most links of a page. */
const known = new KnownHashes()

/** Gathers the links of a document. They become absolute only at the end, when the base is known. */
export class LinkCollector {
  readonly #scanner: Scanner
  readonly #found: FoundLink[] = []
  readonly #config: ParseConfig
  readonly #all: boolean
  readonly #elements: LinkElements

  /** `all`: also links that ask not to be followed, and each reference as often as it stands there. */
  constructor(scanner: Scanner, config: ParseConfig, all: boolean) {
    this.#scanner = scanner
    this.#config = config
    this.#all = all
    known.clear()
    this.#elements = new LinkElements(scanner, config)
  }

  /** Reads a start tag; answers the link if it is an `a` that was taken, so that its text can be added. */
  start(): FoundLink | undefined {
    switch (this.#scanner.tag) {
      case Tag.a:
        return this.#reference('a', Attribute.href)
      case Tag.area:
        this.#reference('area', Attribute.href)
        return undefined
      case Tag.iframe:
        this.#reference('iframe', Attribute.src)
        return undefined
      case Tag.frame:
        this.#reference('frame', Attribute.src)
        return undefined
      case Tag.link:
        this.#linkElement()
        return undefined
      case Tag.base:
        this.#elements.baseElement()
        return undefined
      case Tag.meta:
        this.#refresh()
        return undefined
    }
    return undefined
  }

  get canonicalHref(): string {
    return this.#elements.canonicalHref
  }

  get sitemapHrefs(): readonly string[] {
    return this.#elements.sitemapHrefs
  }

  base(documentUrl: string, charset?: string): Base {
    return this.#elements.base(documentUrl, charset)
  }

  /** `textOf`: the text of a link, by its places. */
  resolved(base: Base, textOf: (start: number, end: number) => string): Link[] {
    const links: Link[] = []
    for (const found of this.#found) {
      if (links.length >= this.#config.maxLinks) break
      const url = this.#resolve(found, base)
      const { kind, rel, hreflang, labelStart, labelEnd } = found
      const text = hreflang !== '' || labelStart === labelEnd ? hreflang : textOf(labelStart, labelEnd)
      if (url !== '') links.push({ url, kind, rel, text })
    }
    return links
  }

  hand(base: Base, references: References): void {
    let left = this.#config.maxLinks
    // Of references that have a key nothing else decides what they lead to.
    references.from(`${base.origin} ${base.charset}`)
    for (const found of this.#found) {
      if (left === 0) break
      const { keyLow, keyHigh } = found
      if (keyLow === 0 || !references.again(keyLow, keyHigh)) {
        const url = this.#resolve(found, base)
        if (url === '') continue
        references.take(url, keyLow, keyHigh)
      }
      left--
    }
  }

  #resolve({ href, hrefStart, hrefEnd }: FoundLink, base: Base): string {
    const { bytes } = this.#scanner
    if (href !== undefined) return base.resolveText(href)
    if (isEncoded(bytes, hrefStart, hrefEnd)) return base.resolveText(decodeText(bytes, hrefStart, hrefEnd, true))
    return base.resolve(bytes, hrefStart, hrefEnd)
  }

  #reference(kind: LinkKind, attribute: number): FoundLink | undefined {
    const scanner = this.#scanner
    if (!scanner.has(attribute)) return undefined
    const rel = scanner.has(Attribute.rel) ? this.#elements.rel() : ''
    if (!this.#all && this.#elements.isUnfollowed(rel)) return undefined
    return this.#add(kind, rel, scanner.valueStart(attribute), scanner.valueEnd(attribute))
  }

  /** A reference that was taken before is not taken again; it may still get the text that the first one lacked. */
  #add(kind: LinkKind, rel: string, hrefStart: number, hrefEnd: number): FoundLink | undefined {
    const { bytes, view } = this.#scanner
    key.read(bytes, view, hrefStart, hrefEnd)
    const number = this.#all ? -1 : known.get(key.hash)
    const before = number < 0 ? undefined : this.#found[number]!
    if (before !== undefined && sameBytes(bytes, hrefStart, hrefEnd, before.hrefStart, before.hrefEnd))
      return before.hasText ? undefined : before
    if (this.#isFull) return undefined
    const link = new FoundLink(kind, rel, hrefStart, hrefEnd)
    link.keyLow = key.low
    link.keyHigh = key.high
    if (!this.#all) known.set(key.hash, this.#found.length)
    this.#found.push(link)
    return link
  }

  /** Twice the limit, because some will turn out to be no web addresses. */
  get #isFull(): boolean {
    return this.#found.length >= this.#config.maxLinks * 2
  }

  #linkElement(): void {
    const scanner = this.#scanner
    const kind = this.#elements.linkElement()
    if (kind === undefined) return
    const { href, hreflang } = Attribute
    const added = this.#add(kind, this.#elements.rel(), scanner.valueStart(href), scanner.valueEnd(href))
    if (added && scanner.has(hreflang))
      added.hreflang = hreflangText(scanner.bytes, scanner.valueStart(hreflang), scanner.valueEnd(hreflang))
  }

  #refresh(): void {
    const href = this.#elements.refresh()
    if (href !== '' && !this.#isFull) this.#found.push(new FoundLink('refresh', '', 0, 0, href))
  }
}

/** Character references and NUL make a value mean something else than it says. */
function isEncoded(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === AMPERSAND || bytes[at] === 0) return true
  return false
}
