import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import type { ParseConfig } from './config.ts'
import { nextHash } from './names.ts'
import type { Link, LinkKind } from './page.ts'
import { Base } from './resolve.ts'
import type { Scanner } from './scanner.ts'
import { Tag } from './tags.ts'
import { collapse, truncate } from './truncate.ts'

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

/**
 * Gathers the links of a document. They become absolute only at the end: the first `base` counts for all of them, also
 * for those before it.
 */
export class LinkCollector {
  readonly #scanner: Scanner
  readonly #found: FoundLink[] = []
  readonly #config: ParseConfig
  readonly #all: boolean
  /** By hash of the reference: where it was found first. Menus repeat most links of a page. */
  readonly #known = new Map<number, FoundLink>()
  /** Few values of `rel` are written in many ways on each page. */
  readonly #rels = new Map<string, string>()
  #baseHref: string | undefined
  canonicalHref = ''

  /** `all`: also links with rel=nofollow, and each reference as often as it stands there. */
  constructor(scanner: Scanner, config: ParseConfig, all: boolean) {
    this.#scanner = scanner
    this.#config = config
    this.#all = all
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
        if (this.#scanner.has(Attribute.href)) this.#baseHref ??= this.#value(Attribute.href)
        return undefined
      case Tag.meta:
        this.#refresh()
        return undefined
    }
    return undefined
  }

  base(documentUrl: string): Base {
    const base = new Base(documentUrl, this.#config.maxUrlChars)
    const href = this.#baseHref === undefined ? '' : base.resolveText(this.#baseHref)
    return href === '' ? base : new Base(href, this.#config.maxUrlChars)
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

  #resolve(found: FoundLink, base: Base): string {
    if (found.href !== undefined) return base.resolveText(found.href)
    return base.resolve(this.#scanner.bytes, found.hrefStart, found.hrefEnd)
  }

  #reference(kind: LinkKind, attribute: number): FoundLink | undefined {
    const scanner = this.#scanner
    if (!scanner.has(attribute)) return undefined
    const rel = scanner.has(Attribute.rel) ? this.#rel() : ''
    if (!this.#all && rel !== '' && rel.includes('nofollow') && hasToken(rel, 'nofollow')) return undefined
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
    // Twice the limit, because some will turn out to be no web addresses.
    if (this.#found.length >= this.#config.maxLinks * 2) return undefined
    const href = isEncoded ? decodeText(bytes, hrefStart, hrefEnd, true) : undefined
    const link: FoundLink = { kind, hrefStart, hrefEnd, href, rel, text: '' }
    this.#found.push(link)
    this.#known.set(hash, link)
    return link
  }

  #linkElement(): void {
    const scanner = this.#scanner
    if (!scanner.has(Attribute.rel) || !scanner.has(Attribute.href)) return
    const rel = this.#rel()
    if (hasToken(rel, 'canonical')) {
      if (this.canonicalHref === '') this.canonicalHref = this.#value(Attribute.href)
      return
    }
    const kind = linkKind(rel)
    if (kind === undefined || (kind === 'alternate' && this.#isMachineAlternate())) return
    const added = this.#add(kind, rel, scanner.valueStart(Attribute.href), scanner.valueEnd(Attribute.href))
    if (added && scanner.has(Attribute.hreflang)) added.text = truncate(this.#value(Attribute.hreflang), 35)
  }

  /** Alternates for programs, which content systems add to every page (oEmbed, JSON), are no documents. */
  #isMachineAlternate(): boolean {
    if (!this.#scanner.has(Attribute.type)) return false
    return /oembed|^\s*application\/json\b/i.test(this.#value(Attribute.type))
  }

  #refresh(): void {
    const scanner = this.#scanner
    if (!scanner.has(Attribute['http-equiv']) || !scanner.has(Attribute.content)) return
    if (this.#value(Attribute['http-equiv']).trim().toLowerCase() !== 'refresh') return
    const href = refreshTarget(this.#value(Attribute.content))
    if (href !== '') this.#found.push({ kind: 'refresh', hrefStart: 0, hrefEnd: 0, href, rel: '', text: '' })
  }

  #rel(): string {
    const raw = this.#value(Attribute.rel)
    let rel = this.#rels.get(raw)
    if (rel === undefined) {
      rel = truncate(collapse(raw).toLowerCase(), 200)
      if (this.#rels.size < 100 && raw.length <= 200) this.#rels.set(raw, rel)
    }
    return rel
  }

  #value(attribute: number): string {
    const scanner = this.#scanner
    return decodeText(scanner.bytes, scanner.valueStart(attribute), scanner.valueEnd(attribute), true)
  }
}

/** The URL of a refresh (`5; url=/next`), as in the HTML standard's "shared declarative refresh steps"; `''` if none. */
export function refreshTarget(content: string): string {
  const match = /^\s*[\d.]+(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*)$/is.exec(content)
  if (!match) return ''
  const target = match[1]!
  const quote = target[0]
  if (quote !== '"' && quote !== "'") return target.trim()
  const close = target.indexOf(quote, 1)
  return target.slice(1, close < 0 ? undefined : close).trim()
}

function linkKind(rel: string): LinkKind | undefined {
  if (hasToken(rel, 'next')) return 'next'
  if (hasToken(rel, 'prev') || hasToken(rel, 'previous')) return 'prev'
  return hasToken(rel, 'alternate') && !hasToken(rel, 'stylesheet') ? 'alternate' : undefined
}

function hasToken(list: string, token: string): boolean {
  return ` ${list} `.includes(` ${token} `)
}

function isSameReference(bytes: Buffer, known: FoundLink, start: number, end: number): boolean {
  if (known.hrefEnd - known.hrefStart !== end - start) return false
  for (let i = start; i < end; i++) if (bytes[i] !== bytes[known.hrefStart + i - start]) return false
  return true
}
