import { isUtf8 } from 'node:buffer'
import { ReferenceReader } from '../character-references.ts'
import type { HtmlDocument, HtmlOptions } from '../html-document.ts'
import { hreflangText, LinkElements } from '../link-elements.ts'
import { MetadataCollector } from '../metadata.ts'
import type { Link, LinkKind } from '../page.ts'
import type { PageText } from '../page-text.ts'
import type { References } from '../references.ts'
import type { Base } from '../resolve.ts'
import { Tag } from '../tags.ts'
import { truncate } from '../truncate.ts'
import * as layout from './layout.ts'
import type { Host, PageScanner } from './page-scanner.ts'
import { WasmToken } from './wasm-token.ts'

/** A document that the scanner in WebAssembly reads: gives meaning to rare elements, and makes strings of what it found. */
export class WasmDocument implements HtmlDocument, Host {
  readonly metadata: MetadataCollector
  readonly #scanner: PageScanner
  readonly #bytes: Buffer
  readonly #options: HtmlOptions
  readonly #token: WasmToken
  readonly #elements: LinkElements
  readonly #references = new ReferenceReader()
  readonly #rels = ['']
  /** Where refreshes lead, in the order of their links. */
  readonly #refreshes: string[] = []
  #text: PageText = ''

  /** `scanner` has made room for it. */
  constructor(scanner: PageScanner, bytes: Buffer, options: HtmlOptions) {
    this.#scanner = scanner
    this.#bytes = bytes
    this.#options = options
    this.#token = new WasmToken(bytes, scanner.numbers)
    this.#elements = new LinkElements(this.#token, options.config)
    this.metadata = new MetadataCollector(this.#token, options.config, options.withText, options.withData)
  }

  read(): this {
    const { config, isWellFormed = false, allLinks, withText, withLabels = true, withData = true } = this.#options
    const text = withText ? layout.WITH_TEXT | (withLabels ? layout.WITH_LABELS : 0) : 0
    const options = text | (allLinks ? layout.ALL_LINKS : 0) | (withData ? layout.WITH_DATA : 0)
    const maxTextBytes = Math.min(config.maxTextBytes, MAX_COUNT)
    const maxLabelBytes = Math.min(config.maxAnchorChars * 4, MAX_COUNT)
    this.#scanner.read(this.#bytes, this, { options, maxTextBytes, maxLabelBytes })
    this.#text = this.#scanner.text(isWellFormed)
    return this
  }

  get canonicalHref(): string {
    return this.#elements.canonicalHref
  }

  get sitemapHrefs(): readonly string[] {
    return this.#elements.sitemapHrefs
  }

  get text(): PageText {
    return this.#text
  }

  base(documentUrl: string, charset?: string): Base {
    return this.#elements.base(documentUrl, charset)
  }

  links(base: Base): Link[] {
    const { numbers } = this.#scanner
    const resolve = this.#resolver(base)
    const label = this.#labels()
    const links: Link[] = []
    this.#eachLink((at) => {
      const url = resolve(at)
      const kind = LINK_KINDS[numbers[at + layout.KIND]! & 0xff]!
      if (url !== '') links.push({ url, kind, rel: this.#rels[numbers[at + layout.REL]!]!, text: label(at) })
      return url !== ''
    })
    return links
  }

  hand(base: Base, references: References): void {
    const { numbers } = this.#scanner
    const { maxUrlChars } = this.#options.config
    const resolve = this.#resolver(base)
    references.from(base.origin)
    this.#eachLink((at) => {
      const isShort = numbers[at + layout.HREF_END]! - numbers[at + layout.HREF_START]! <= maxUrlChars
      const low = isShort ? numbers[at + layout.KEY_LOW]! : 0
      const high = isShort ? numbers[at + layout.KEY_HIGH]! : 0
      if (low !== 0 && references.again(low, high)) return true
      const url = resolve(at)
      if (url !== '') references.take(url, low, high)
      return url !== ''
    })
  }

  /** Calls for each link with the place of its numbers, as long as no more than allowed were taken. */
  #eachLink(take: (at: number) => boolean): void {
    const { maxLinks } = this.#options.config
    let taken = 0
    let at = this.#scanner.cell(layout.LINKS_AT) / 4
    const end = at + this.#scanner.cell(layout.LINK_COUNT) * layout.LINK_NUMBERS
    for (; at < end && taken < maxLinks; at += layout.LINK_NUMBERS) if (take(at)) taken++
  }

  /** The absolute URLs of links, asked for in order; `''` where there is none. */
  #resolver(base: Base): (at: number) => string {
    const { bytes, numbers } = this.#scanner
    const { maxUrlChars } = this.#options.config
    const hrefsAt = this.#scanner.cell(layout.HREFS_AT)
    let hrefs: string | undefined
    let refreshes = 0
    return (at) => {
      if ((numbers[at + layout.KIND]! & 0xff) === layout.KIND_REFRESH)
        return base.resolveText(this.#refreshes[refreshes++]!)
      const start = numbers[at + layout.HREF_START]!
      const stop = numbers[at + layout.HREF_END]!
      if (stop - start > maxUrlChars) return ''
      const prefix = base.prefix(numbers[at + layout.SHAPE]!)
      if (prefix === undefined) return base.resolve(bytes, hrefsAt + start, hrefsAt + stop)
      // One string for all, because making a string from bytes costs more than cutting one.
      hrefs ??= bytes.toString('latin1', hrefsAt, hrefsAt + this.#scanner.cell(layout.HREFS_BYTES))
      return prefix + hrefs.slice(start, stop)
    }
  }

  element(tag: number, present: number, takesLinks: number): number {
    const token = this.#token
    token.tag = tag
    token.present = present
    if (tag === Tag.link) return this.#linkElement()
    if (tag === Tag.script) return this.metadata.startScript() ? 1 : 0
    this.metadata.start()
    if (takesLinks === 0) return 0
    if (tag === Tag.base) this.#elements.baseElement()
    return tag === Tag.meta ? this.#refresh() : 0
  }

  rawText(tag: number, start: number, end: number): void {
    const token = this.#token
    token.tag = tag
    token.start = start
    token.end = end
    this.metadata.rawText()
  }

  rel(start: number, end: number): number {
    const rel = this.#elements.relBetween(start, end)
    return (this.#rels.push(rel) - 1) * 2 + (this.#elements.isUnfollowed(rel) ? 1 : 0)
  }

  named(at: number, end: number, inAttribute: number): number {
    const after = this.#references.read(this.#bytes, at, end, inAttribute !== 0)
    this.#scanner.setCell(layout.FIRST, this.#references.first)
    this.#scanner.setCell(layout.SECOND, this.#references.second)
    return after
  }

  #linkElement(): number {
    const kind = this.#elements.linkElement()
    if (kind === undefined) return 0
    return LINK_KINDS.lastIndexOf(kind) | ((this.#rels.push(this.#elements.rel()) - 1) << 8)
  }

  #refresh(): number {
    const href = this.#elements.refresh()
    if (href === '') return 0
    this.#refreshes.push(href)
    return layout.KIND_REFRESH
  }

  /** Texts of links, by the places of their numbers. Of a well-formed document they are parts of the text as a string. */
  #labels(): (at: number) => string {
    const { numbers } = this.#scanner
    const { maxAnchorChars } = this.#options.config
    const textBytes = this.#scanner.cell(layout.TEXT_BYTES)
    // The text may be so where the document is not: tags can stand between the bytes of a character.
    const isWellFormed = this.#options.isWellFormed || isUtf8(this.#bytes)
    const whole = this.#text.toString()
    return (at) => {
      const start = numbers[at + layout.LABEL_START]!
      const end = numbers[at + layout.LABEL_END]!
      if (start === end) return ''
      if ((numbers[at + layout.KIND]! & layout.LABEL_IN_DOCUMENT) !== 0) return hreflangText(this.#bytes, start, end)
      const text =
        isWellFormed && end <= textBytes
          ? whole.slice(numbers[at + layout.UNIT_START]!, numbers[at + layout.UNIT_END]!)
          : this.#textBetween(start, end)
      return truncate(text.includes('\n') ? text.replaceAll('\n', ' ') : text, maxAnchorChars)
    }
  }

  #textBetween(start: number, end: number): string {
    const textAt = this.#scanner.cell(layout.TEXT_AT)
    return this.#scanner.bytes.toString('utf8', textAt + start, textAt + end)
  }
}

const MAX_COUNT = 2 ** 31 - 1

/** By their number in the scanner. */
const LINK_KINDS: readonly LinkKind[] = ['a', 'a', 'area', 'iframe', 'frame', 'next', 'prev', 'alternate', 'refresh']
