import { gzipOpening, isGzip } from './gzip-opening.ts'
import type { PageKind } from './page.ts'

/** Bytes looked at to tell what a document is. */
const SNIFF_BYTES = 2048

/**
 * What a body is: by its magic bytes, then by its type; where the type says nothing or `text/plain` covers markup, by how
 * the text begins.
 */
export function sniffKind(body: Buffer, contentType: string): PageKind {
  if (HTML_TYPE.test(contentType) && USUAL_HTML.test(body.toString('latin1', 0, USUAL_BYTES))) return 'html'
  if (body.toString('latin1', 0, 1024).trimStart().startsWith('%PDF-')) return 'pdf'
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  const opening = openingText(body)
  if (type === 'application/pdf') return 'other'
  if (isOffice(body, type)) return 'office'
  if (isGzip(body)) return listingKind(openingText(gzipOpening(body))) ?? 'other'
  if (type === 'text/html' || type === 'application/xhtml+xml') return xmlKind(opening) ?? 'html'
  if (/[/+]xml$/.test(type)) return xmlKind(opening) ?? (isHtmlDocument(opening) ? 'html' : 'other')
  if (type === 'text/plain') return listingKind(opening) ?? (isHtmlDocument(opening) ? 'html' : binaryOr('text', body))
  if (type.startsWith('text/')) return TEXT_TYPES.test(type) ? binaryOr('text', body) : 'other'
  if (/^application\/(json|ld\+json|feed\+json)$/.test(type)) return isJsonFeed(opening) ? 'feed' : 'text'
  const isUntyped = type === '' || !type.includes('/') || UNKNOWN_TYPES.has(type)
  if (!isUntyped) return 'other'
  return listingKind(opening) ?? (isHtml(opening) ? 'html' : binaryOr(type === '' ? 'text' : 'other', body))
}

/** How nearly all pages begin: nothing else needs to be asked then. */
const HTML_TYPE = /^text\/html(?:;|$)/
const USUAL_HTML = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html[^>]*>\s*)?<html[\s>]/i
const USUAL_BYTES = 256

const OFFICE_TYPE = /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./

/** A zip archive that says so by its type, or that begins as such documents do. */
function isOffice(body: Buffer, type: string): boolean {
  if (body[0] !== 0x50 || body[1] !== 0x4b || body[2] !== 3 || body[3] !== 4) return false
  if (OFFICE_TYPE.test(type)) return true
  const opening = body.toString('latin1', 0, SNIFF_BYTES)
  return opening.includes('[Content_Types].xml') || opening.includes('mimetypeapplication/vnd.oasis.opendocument.')
}

const UNKNOWN_TYPES = new Set([
  'application/octet-stream',
  'application/unknown',
  'unknown/unknown',
  'content/unknown',
  'application/x-unknown-content-type',
  '*/*',
  // Servers that undo the compression on the way, or send it as an encoding, still call the file so.
  ...['application/gzip', 'application/x-gzip'],
])
const TEXT_TYPES = /^text\/(plain|markdown|x-markdown|csv|tab-separated-values|rtf|x-rst|org|troff|vcard|calendar)$/

/** Feeds and sitemaps by their root element, whatever the server calls them. */
function xmlKind(opening: string): PageKind | undefined {
  const { root } = firstMarkup(opening)
  const name = root.slice(root.indexOf(':') + 1)
  if (name === 'urlset' || name === 'sitemapindex') return 'sitemap'
  return name === 'rss' || name === 'feed' || root === 'rdf:rdf' ? 'feed' : undefined
}

/** The same, and lists of URLs, one in each line. */
function listingKind(opening: string): PageKind | undefined {
  return xmlKind(opening) ?? (isUrlList(opening) ? 'sitemap' : isJsonFeed(opening) ? 'feed' : undefined)
}

function isUrlList(opening: string): boolean {
  if (!/^\s*https?:\/\//i.test(opening)) return false
  const lines = opening.split(/[\r\n]+/)
  // The last one may be cut.
  if (lines.length > 1) lines.pop()
  return lines.every((line) => /^\s*(?:https?:\/\/\S+\s*)?$/i.test(line))
}

function isJsonFeed(opening: string): boolean {
  return /^\s*\{/.test(opening) && /"version"\s*:\s*"https?:(?:\\?\/){2}jsonfeed\.org\b/.test(opening)
}

/** Begins as HTML does: elements, comments and doctypes that MIME sniffing takes for it. */
function isHtml(opening: string): boolean {
  const { root, isComment } = firstMarkup(opening)
  return isHtmlDocument(opening) || isComment || HTML_OPENINGS.has(root)
}

function isHtmlDocument(opening: string): boolean {
  const { root, doctype } = firstMarkup(opening)
  return doctype === 'html' || root === 'html' || root === 'head'
}

const HTML_OPENINGS = new Set(
  'script iframe h1 div font table a style title b br p meta link body img ul span base center noscript'.split(' '),
)

/** The first element, behind declarations and comments. */
function firstMarkup(opening: string): { root: string; doctype: string; isComment: boolean } {
  let doctype = ''
  let isComment = false
  let at = 0
  for (;;) {
    at += /^\s*/.exec(opening.slice(at))![0].length
    const rest = opening.slice(at, at + 120)
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') || rest.startsWith('<!') ? '>' : ''
    if (end === '') return { root: /^<([a-z][\w:.-]*)/i.exec(rest)?.[1]?.toLowerCase() ?? '', doctype, isComment }
    if (end === '-->') isComment = true
    doctype ||= /^<!doctype\s+([a-z]+)/i.exec(rest)?.[1]?.toLowerCase() ?? ''
    const close = opening.indexOf(end, at)
    if (close < 0) return { root: '', doctype, isComment }
    at = close + end.length
  }
}

function binaryOr(kind: PageKind, body: Buffer): PageKind {
  const isWide = (body[0] === 0xfe && body[1] === 0xff) || (body[0] === 0xff && body[1] === 0xfe)
  if (isWide) return kind
  for (let i = 0; i < Math.min(body.length, SNIFF_BYTES); i++) {
    const byte = body[i]!
    // Bytes that no text holds, as MIME sniffing has it.
    if (byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f))
      return 'other'
  }
  return kind
}

/** The beginning as Latin letters, also of UTF-16, without a byte order mark. */
function openingText(body: Buffer): string {
  const opening = body.toString('latin1', 0, SNIFF_BYTES)
  return opening.replace(/^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/, '').replaceAll('\0', '')
}
