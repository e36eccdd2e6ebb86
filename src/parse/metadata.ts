import { Attribute } from './attributes.ts'
import { decodeText } from './character-references.ts'
import type { ParseConfig } from './config.ts'
import type { CurrentToken } from './current-token.ts'
import { mayHoldDate, parseJsonLd, publishedIn } from './json-ld.ts'
import { DATE_NAMES, KEPT_NAMES, metaNameBetween, OPEN_GRAPH_READ, ROBOTS_NAMES } from './meta-names.ts'
import { isoDate } from './published.ts'
import { Tag } from './tags.ts'
import { collapse, truncate } from './truncate.ts'

/** Where the content of a `meta` stands: most are asked for by nobody, because another one counts before them. */
interface Content {
  readonly start: number
  readonly end: number
}

/** What a document says of itself: title, description, dates, directives. The first of each counts. */
export class MetadataCollector {
  readonly #token: CurrentToken
  readonly #config: ParseConfig
  readonly #withJsonLd: boolean
  readonly #withData: boolean
  readonly #named = new Map<string, Content>()
  readonly #openGraph = new Map<string, Content>()
  readonly #jsonLd: object[] = []
  readonly #robots: string[] = []
  #jsonLdBytes = 0
  #isJsonLd = false
  #title: string | undefined
  #htmlLang = ''
  #httpLang = ''
  #time = ''
  #pubdateTime = ''

  /** Without data nobody will ask for Open Graph and JSON-LD as such, so that only what else is made of them is read. */
  constructor(token: CurrentToken, config: ParseConfig, withJsonLd: boolean, withData = true) {
    this.#token = token
    this.#config = config
    this.#withJsonLd = withJsonLd
    this.#withData = withData
  }

  start(): void {
    const token = this.#token
    switch (token.tag) {
      case Tag.meta:
        this.#meta()
        return
      case Tag.html:
        if (this.#htmlLang === '') this.#htmlLang = this.#value(Attribute.lang) || this.#value(Attribute['xml:lang'])
        return
      case Tag.script:
        this.startScript()
        return
      case Tag.time:
        this.#timeElement()
        return
    }
  }

  /** Answers whether JSON-LD comes next. */
  startScript(): boolean {
    this.#isJsonLd = this.#withJsonLd && /^\s*application\/ld\+json\b/i.test(this.#value(Attribute.type))
    return this.#isJsonLd
  }

  rawText(): void {
    const { tag, bytes, start, end } = this.#token
    if (tag === Tag.title) {
      this.#title ??= truncate(collapse(decodeText(bytes, start, end, false)), this.#config.maxTitleChars)
    } else if (tag === Tag.script && this.#isJsonLd) this.#jsonLdBlock()
  }

  get title(): string {
    if (this.#title) return this.#title
    const fallback = this.#openGraph.has('og:title') ? this.#property('og:title') : this.#text('twitter:title')
    return truncate(fallback, this.#config.maxTitleChars)
  }

  get description(): string {
    const text =
      this.#text('description') ||
      this.#property('og:description') ||
      this.#text('twitter:description') ||
      this.#text('dc.description')
    return truncate(text, this.#config.maxDescriptionChars)
  }

  get keywords(): string[] {
    const text = this.#text('keywords') || this.#text('news_keywords')
    if (text === '') return []
    const { maxKeywords, maxKeywordChars } = this.#config
    const words = new Set<string>()
    for (let start = 0, at = 0; at <= text.length && words.size < maxKeywords; at++) {
      if (at < text.length && !partsKeywords(text.charCodeAt(at))) continue
      const word = truncate(text.slice(start, at).trim(), maxKeywordChars)
      if (word !== '') words.add(word)
      start = at + 1
    }
    return [...words]
  }

  get publishedAt(): string {
    const date = isoDate(publishedIn(this.#jsonLd)) || this.#namedDate()
    return date || isoDate(this.#pubdateTime) || isoDate(this.#time)
  }

  #namedDate(): string {
    for (const name of this.#named.size > 0 ? DATE_NAMES : []) {
      const date = isoDate(this.#text(name))
      if (date !== '') return date
    }
    return ''
  }

  /** As declared, such as `pt-BR`; `''` if it is not. */
  get declaredLang(): string {
    const lang = this.#htmlLang || this.#httpLang || this.#text('language') || this.#property('og:locale')
    const match = /^\s*([a-z]{2,3}(?:[-_][a-z0-9]{1,8})*)/i.exec(lang)
    return match ? truncate(match[1]!.replaceAll('_', '-'), 35) : ''
  }

  /** Contents of `<meta name=robots>` and of the one for us. */
  get robots(): readonly string[] {
    return this.#robots
  }

  get openGraph(): Record<string, string> {
    const names = this.#withData ? [...this.#openGraph.keys()] : []
    return Object.fromEntries(names.map((name) => [name, this.#property(name)]))
  }

  get jsonLd(): readonly object[] {
    return this.#withData ? this.#jsonLd : []
  }

  #meta(): void {
    const token = this.#token
    if (!token.has(Attribute.content)) return
    if (token.has(Attribute.property)) this.#keep(this.#name(Attribute.property))
    if (token.has(Attribute.name)) this.#keep(this.#name(Attribute.name))
    else if (token.has(Attribute.itemprop)) this.#keep(this.#name(Attribute.itemprop))
    else if (this.#httpLang === '' && this.#key(Attribute['http-equiv']) === 'content-language')
      this.#httpLang = this.#decoded(this.#content())
  }

  #keep(key: string): void {
    if (key === '') return
    if (key.startsWith('og:') || key.startsWith('article:')) this.#openGraphProperty(key)
    else if (ROBOTS_NAMES.has(key)) {
      if (this.#robots.length < MAX_ROBOTS) this.#robots.push(this.#value(Attribute.content))
    }
    if (KEPT_NAMES.has(key) && !this.#named.has(key)) this.#named.set(key, this.#content())
  }

  /** `''`: none that would be kept. */
  #name(attribute: number): string {
    const token = this.#token
    const known = metaNameBetween(token.bytes, token.valueStart(attribute), token.valueEnd(attribute))
    return known === undefined || (known === '' && this.#withData) ? this.#key(attribute) : known
  }

  #key(attribute: number): string {
    return this.#value(attribute).trim().toLowerCase()
  }

  #openGraphProperty(name: string): void {
    if (!this.#withData && !OPEN_GRAPH_READ.has(name)) return
    const { maxOpenGraph } = this.#config
    if (this.#openGraph.size >= maxOpenGraph || name.length > 100 || this.#openGraph.has(name)) return
    this.#openGraph.set(name, this.#content())
  }

  #content(): Content {
    return { start: this.#token.valueStart(Attribute.content), end: this.#token.valueEnd(Attribute.content) }
  }

  /** What is written under a name; `''`: nothing. */
  #text(name: string): string {
    return this.#decoded(this.#named.get(name))
  }

  #property(name: string): string {
    return truncate(this.#decoded(this.#openGraph.get(name)), this.#config.maxOpenGraphChars)
  }

  #decoded(content: Content | undefined): string {
    if (content === undefined) return ''
    return truncate(collapse(this.#between(content.start, content.end)), MAX_CONTENT_CHARS)
  }

  #timeElement(): void {
    const token = this.#token
    if (!token.has(Attribute.datetime)) return
    const isPublished = token.has(Attribute.pubdate) || /datepublished/i.test(this.#value(Attribute.itemprop))
    if (isPublished) this.#pubdateTime ||= this.#value(Attribute.datetime)
    else this.#time ||= this.#value(Attribute.datetime)
  }

  #jsonLdBlock(): void {
    this.#isJsonLd = false
    const { bytes, start, end } = this.#token
    const { maxJsonLdBlocks, maxJsonLdBytes } = this.#config
    if (this.#jsonLd.length >= maxJsonLdBlocks || this.#jsonLdBytes + end - start > maxJsonLdBytes) return
    this.#jsonLdBytes += end - start
    if (!this.#withData && !mayHoldDate(bytes.subarray(start, end))) return
    const value = parseJsonLd(bytes.toString('utf8', start, end))
    if (value !== undefined) this.#jsonLd.push(value)
  }

  /** `''` also where there is no such attribute. */
  #value(attribute: number): string {
    const token = this.#token
    return token.has(attribute) ? this.#between(token.valueStart(attribute), token.valueEnd(attribute)) : ''
  }

  /** A longer value is cut to a few characters in the end: no need to decode a megabyte first. */
  #between(start: number, end: number): string {
    return decodeText(this.#token.bytes, start, Math.min(end, start + MAX_VALUE_BYTES), true)
  }
}

/** `,` and `;`, also as Chinese and Japanese write them. */
function partsKeywords(code: number): boolean {
  return code === 0x2c || code === 0x3b || code === 0x3001 || code === 0xff0c || code === 0xff1b
}

/** Directives are read from no more elements than this. */
const MAX_ROBOTS = 20
const MAX_CONTENT_CHARS = 8192
const MAX_VALUE_BYTES = 65_536
