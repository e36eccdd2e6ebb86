import { toUtf8 } from './charset.ts'
import type { ParseConfig } from './config.ts'
import { readDirectives } from './directives.ts'
import { isGzip } from './gzip-opening.ts'
import { readHtml } from './html.ts'
import { sniffKind } from './kind.ts'
import { detectLanguage } from './language.ts'
import type { Directives, Page, PageKind } from './page.ts'
import { giveBackText, type PageText } from './page-text.ts'
import type { References } from './references.ts'
import { TextWriter } from './text.ts'

export interface ParseOptions {
  /** Where the document was found: links are relative to it. */
  readonly url: string
  readonly contentType: string
  /** `X-Robots-Tag`, each header apart where there are several. */
  readonly xRobotsTag?: string | readonly string[] | undefined
  readonly config: ParseConfig
  /** When it was fetched: a page may say until when it may be shown. Default: that is not asked. */
  readonly visitedAt?: number
  /** All links, also those that ask not to be followed, and as often as they occur. */
  readonly allLinks?: boolean
  /** Takes the links that may be followed, as the page is read. */
  readonly references?: References
  /** Links with their texts; default true. */
  readonly withLinks?: boolean
  /** Visible text, text of links, JSON-LD and detected language; default true. */
  readonly withText?: boolean
  /** Open Graph and JSON-LD as such, beside the dates and titles that are found in them; default true. */
  readonly withData?: boolean
}

/** A body → what we know of the document. Never throws, whatever the body is; takes time linear in its size. */
export function parsePage(body: Buffer, options: ParseOptions): Page {
  const page = readPage(body, options)
  const text = page.text.toString()
  giveBackText(page.text)
  return { ...page, text }
}

/** The same with its text as it was made. */
export function readPage(body: Buffer, options: ParseOptions): Page<PageText> {
  const kind = sniffKind(body, options.contentType)
  switch (kind) {
    case 'html':
      return htmlPage(body, options)
    case 'text':
      return textPage(body, options)
    case 'sitemap':
    case 'feed':
      return {
        ...emptyPage(kind, options),
        charset: isGzip(body) ? 'utf-8' : toUtf8(body, options.contentType).charset,
      }
    case 'pdf':
    case 'office':
    case 'other':
      return emptyPage(kind, options)
    default:
      return kind satisfies never
  }
}

function htmlPage(body: Buffer, options: ParseOptions): Page<PageText> {
  const { url, contentType, config, references } = options
  const { allLinks = false, withText = true, withLinks = true, withData = true } = options
  const { bytes, charset, isWellFormed } = toUtf8(body, contentType)
  const document = readHtml(bytes, { config, isWellFormed, allLinks, withText, withLabels: withLinks, withData })
  const { metadata, canonicalHref, text } = document
  const { declaredLang } = metadata
  const robots = directives(metadata.robots, options)
  const base = document.base(url, charset)
  const takesLinks = !robots.nofollow || allLinks
  if (references && takesLinks) document.hand(base, references)
  return {
    kind: 'html',
    charset,
    title: metadata.title,
    description: metadata.description,
    keywords: metadata.keywords,
    lang: detectLanguage(text) || primaryLanguage(declaredLang),
    declaredLang,
    canonical: canonicalHref === '' ? '' : base.resolveText(canonicalHref),
    publishedAt: metadata.publishedAt,
    openGraph: metadata.openGraph,
    jsonLd: metadata.jsonLd,
    robots,
    links: takesLinks && withLinks ? document.links(base) : [],
    sitemaps: takesLinks ? document.sitemapHrefs.map((href) => base.resolveText(href)).filter(Boolean) : [],
    text,
  }
}

function textPage(body: Buffer, options: ParseOptions): Page<PageText> {
  const { contentType, config, withText = true } = options
  const { bytes, charset } = toUtf8(body, contentType)
  const text = withText ? plainText(bytes, config.maxTextBytes) : ''
  return { ...emptyPage('text', options), charset, text, lang: detectLanguage(text) }
}

/** Lines as they stand, white space within them collapsed. */
function plainText(bytes: Buffer, maxTextBytes: number): PageText {
  const writer = new TextWriter(maxTextBytes, bytes)
  for (let start = 0; start < bytes.length && writer.length < maxTextBytes; ) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline < 0 ? bytes.length : newline
    writer.add(start, end, false)
    writer.breakLine()
    start = end + 1
  }
  return writer.text()
}

function emptyPage(kind: PageKind, options: ParseOptions): Page {
  return {
    kind,
    charset: '',
    title: '',
    description: '',
    keywords: [],
    lang: '',
    declaredLang: '',
    canonical: '',
    publishedAt: '',
    openGraph: {},
    jsonLd: [],
    robots: directives([], options),
    links: [],
    sitemaps: [],
    text: '',
  }
}

function directives(metaContents: readonly string[], options: ParseOptions): Directives {
  const { xRobotsTag = [], config, visitedAt = Number.NEGATIVE_INFINITY } = options
  const headers = typeof xRobotsTag === 'string' ? [xRobotsTag] : xRobotsTag
  return readDirectives(metaContents, headers, config.obey, visitedAt)
}

function primaryLanguage(declared: string): string {
  return declared.split('-', 1)[0]!.toLowerCase()
}
