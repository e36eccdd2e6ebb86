import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import type { ParseConfig } from './config.ts'
import { hreflangText, LinkElements } from './link-elements.ts'
import { nextHash } from './names.ts'
import type { Link, LinkKind } from './page.ts'
import type { References } from './references.ts'
import type { Base } from './resolve.ts'
import type { Scanner } from './scanner.ts'
import { Tag } from './tags.ts'

const AMPERSAND = 0x26

/** A link as it was found: places in the document, since most of what a link could say is never asked for. */
interface FoundLink {
  readonly kind: LinkKind
  readonly hrefStart: number
  readonly hrefEnd: number
  /** Set instead of the places where the reference is not an attribute's whole value. */
  readonly href: string | undefined
  readonly rel: string
  text: string
}

/** Gathers the links of a document. They become absolute only at the end, when the base is known. */
export class LinkCollector {
  readonly #scanner: Scanner
  readonly #found: FoundLink[] = []
  readonly #config: ParseConfig
  readonly #all: boolean
  readonly #elements: LinkElements
  /** By hash of the reference: where it was found last. Menus repeat most links of a page. */
  readonly #known = new Map<number, FoundLink>()

  /** `all`: also links that ask not to be followed, and each reference as often as it stands there. */
  constructor(scanner: Scanner, config: ParseConfig, all: boolean) {
    this.#scanner = scanner
    this.#config = config
    this.#all = all
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

  resolved(base: Base): Link[] {
    const links: Link[] = []
    for (const found of this.#found) {
      if (links.length >= this.#config.maxLinks) break
      const url = this.#resolve(found, base)
      if (url !== '') links.push({ url, kind: found.kind, rel: found.rel, text: found.text })
    }
    return links
  }

  hand(base: Base, references: References): void {
    references.from(base.origin)
    for (const { url } of this.resolved(base)) references.take(url, 0, 0)
  }

  #resolve(found: FoundLink, base: Base): string {
    if (found.href !== undefined) return base.resolveText(found.href)
    return base.resolve(this.#scanner.bytes, found.hrefStart, found.hrefEnd)
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
    const { bytes } = this.#scanner
    let hash = hrefEnd - hrefStart
    let isEncoded = false
    for (let i = hrefStart; i < hrefEnd; i++) {
      const byte = bytes[i]!
      if (byte === AMPERSAND || byte === 0) isEncoded = true
      hash = nextHash(hash, byte)
    }
    const known = this.#all ? undefined : this.#known.get(hash)
    if (known !== undefined && isSameReference(bytes, known, hrefStart, hrefEnd))
      return known.text === '' ? known : undefined
    if (this.#isFull) return undefined
    const href = isEncoded ? decodeText(bytes, hrefStart, hrefEnd, true) : undefined
    const link: FoundLink = { kind, hrefStart, hrefEnd, href, rel, text: '' }
    this.#found.push(link)
    this.#known.set(hash, link)
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
      added.text = hreflangText(scanner.bytes, scanner.valueStart(hreflang), scanner.valueEnd(hreflang))
  }

  #refresh(): void {
    const href = this.#elements.refresh()
    if (href !== '' && !this.#isFull)
      this.#found.push({ kind: 'refresh', hrefStart: 0, hrefEnd: 0, href, rel: '', text: '' })
  }
}

function isSameReference(bytes: Buffer, known: FoundLink, start: number, end: number): boolean {
  if (known.hrefEnd - known.hrefStart !== end - start) return false
  for (let i = start; i < end; i++) if (bytes[i] !== bytes[known.hrefStart + i - start]) return false
  return true
}
