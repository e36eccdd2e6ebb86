import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import type { ParseConfig } from './config.ts'
import type { CurrentToken } from './current-token.ts'
import type { LinkKind } from './page.ts'
import { Base } from './resolve.ts'
import { collapse, truncate } from './truncate.ts'

/** A page that names more is not believed. */
const MAX_SITEMAPS = 10

/** What `link`, `base`, `meta` and the attribute `rel` say about links. */
export class LinkElements {
  readonly #token: CurrentToken
  readonly #config: ParseConfig
  /** Few values of `rel` are written in many ways on each page. */
  readonly #rels = new Map<string, string>()
  /** The last of them, and where it stands: most often the next is the same. */
  #lastRel = ''
  #lastRelStart = 0
  #lastRelEnd = 0
  #baseHref: string | undefined
  canonicalHref = ''
  readonly sitemapHrefs: string[] = []

  constructor(token: CurrentToken, config: ParseConfig) {
    this.#token = token
    this.#config = config
  }

  /** The URL that references are relative to: the first `base` counts for all of them, also for those before it. */
  base(documentUrl: string, charset = 'utf-8'): Base {
    const { maxUrlChars } = this.#config
    const base = new Base(documentUrl, maxUrlChars, charset)
    const href = this.#baseHref === undefined ? '' : base.resolveText(this.#baseHref)
    return href === '' ? base : new Base(href, maxUrlChars, charset)
  }

  baseElement(): void {
    if (this.#token.has(Attribute.href)) this.#baseHref ??= this.#value(Attribute.href)
  }

  /** The kind of link that a `link` is; `undefined`: none. Keeps the canonical URL, and those of sitemaps. */
  linkElement(): LinkKind | undefined {
    const token = this.#token
    if (!token.has(Attribute.rel) || !token.has(Attribute.href)) return undefined
    const rel = this.rel()
    if (hasToken(rel, 'canonical')) {
      if (this.canonicalHref === '') this.canonicalHref = this.#value(Attribute.href)
      return undefined
    }
    if (hasToken(rel, 'sitemap')) {
      if (this.sitemapHrefs.length < MAX_SITEMAPS) this.sitemapHrefs.push(this.#value(Attribute.href))
      return undefined
    }
    const kind = linkKind(rel)
    return kind === 'alternate' && this.#isMachineAlternate() ? undefined : kind
  }

  /** Where a `meta` sends the reader on to; `''`: nowhere. */
  refresh(): string {
    const token = this.#token
    if (!token.has(Attribute['http-equiv']) || !token.has(Attribute.content)) return ''
    if (this.#value(Attribute['http-equiv']).trim().toLowerCase() !== 'refresh') return ''
    return refreshTarget(this.#value(Attribute.content))
  }

  /** The attribute `rel` in its normal form. */
  rel(): string {
    return this.relBetween(this.#token.valueStart(Attribute.rel), this.#token.valueEnd(Attribute.rel))
  }

  relBetween(start: number, end: number): string {
    const { bytes } = this.#token
    if (!sameBytes(bytes, start, end, this.#lastRelStart, this.#lastRelEnd)) {
      this.#lastRel = this.#normalRel(decodeText(bytes, start, end, true))
      this.#lastRelStart = start
      this.#lastRelEnd = end
    }
    return this.#lastRel
  }

  #normalRel(raw: string): string {
    let rel = this.#rels.get(raw)
    if (rel === undefined) {
      rel = truncate(collapse(raw).toLowerCase(), 200)
      if (this.#rels.size < 100 && raw.length <= 200) this.#rels.set(raw, rel)
    }
    return rel
  }

  /** Does a `rel` in its normal form ask not to follow the link? */
  isUnfollowed(rel: string): boolean {
    return rel !== '' && this.#config.obey.rel.some((word) => hasToken(rel, word))
  }

  /** Alternates for programs, which content systems add to every page (oEmbed, JSON), are no documents. */
  #isMachineAlternate(): boolean {
    if (!this.#token.has(Attribute.type)) return false
    return /oembed|^\s*application\/json\b/i.test(this.#value(Attribute.type))
  }

  #value(attribute: number): string {
    const token = this.#token
    return decodeText(token.bytes, token.valueStart(attribute), token.valueEnd(attribute), true)
  }
}

export function sameBytes(bytes: Buffer, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false
  for (let i = start; i < end; i++) if (bytes[i] !== bytes[otherStart + i - start]) return false
  return true
}

/** The text that an `hreflang` gives to its link. */
export function hreflangText(bytes: Buffer, start: number, end: number): string {
  return truncate(decodeText(bytes, start, end, true), 35)
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
  return list.includes(token) && ` ${list} `.includes(` ${token} `)
}
