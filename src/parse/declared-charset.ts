import { Attribute } from './attributes.ts'
import { END_OF_INPUT, Scanner, START_TAG } from './scanner.ts'
import { Tag } from './tags.ts'

/** Browsers look at the first 1,024 bytes and start again when a later `<meta>` disagrees; reading on has the same effect. */
const PRESCAN_BYTES = 16_384

/** The labels that a document gives itself, in the order in which they count: header, `<meta>`, XML declaration. */
export function* declaredCharset(body: Buffer, contentType: string): Generator<string> {
  const header = charsetParameter(contentType)
  if (header !== '') yield header
  const wide = wideXml(body)
  if (wide !== '') yield wide
  const isXml = /[/+]xml\b/i.test(contentType)
  if (!isXml) yield* metaCharset(body)
  const declaration = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(body.toString('latin1', 0, 256))
  if (declaration) yield asciiCompatible(declaration[1]!)
}

/** The `charset` of a content type: `text/html; charset="utf-8"` and its many misspellings. */
export function charsetParameter(contentType: string): string {
  const match = /\bcharset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i.exec(contentType)
  return match ? (match[1] ?? match[2] ?? match[3] ?? '') : ''
}

/** `<?` in UTF-16 without a byte order mark. */
function wideXml(body: Buffer): string {
  const opening = body.toString('latin1', 0, 4)
  if (opening === '<\0?\0') return 'utf-16le'
  return opening === '\0<\0?' ? 'utf-16be' : ''
}

function* metaCharset(body: Buffer): Generator<string> {
  const scanner = new Scanner(body.subarray(0, PRESCAN_BYTES))
  for (let token = scanner.next(); token !== END_OF_INPUT; token = scanner.next()) {
    if (token !== START_TAG) continue
    if (scanner.tag === Tag.body) return
    if (scanner.tag !== Tag.meta) continue
    const label = scanner.has(Attribute.charset) ? value(scanner, Attribute.charset) : httpEquivCharset(scanner)
    if (label !== '') yield asciiCompatible(label)
  }
}

function httpEquivCharset(scanner: Scanner): string {
  if (!scanner.has(Attribute['http-equiv']) || !scanner.has(Attribute.content)) return ''
  if (value(scanner, Attribute['http-equiv']).toLowerCase() !== 'content-type') return ''
  return charsetParameter(value(scanner, Attribute.content))
}

function value(scanner: Scanner, attribute: number): string {
  const start = scanner.valueStart(attribute)
  return scanner.bytes.toString('latin1', start, Math.min(scanner.valueEnd(attribute), start + 200))
}

/** Who could read the label in ASCII is not reading UTF-16: the standard takes such pages for UTF-8. */
function asciiCompatible(label: string): string {
  const name = label.trim().toLowerCase()
  if (/^(utf-?16|unicode|ucs-2|iso-10646-ucs-2|csunicode)/.test(name)) return 'utf-8'
  return name === 'x-user-defined' ? 'windows-1252' : name
}
