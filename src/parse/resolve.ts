import { withEncodedQuery } from './query-encoding.ts'
import { ABSOLUTE, FROM_ORIGIN, NOT_PLAIN, type Shape, shapeOf } from './reference-shape.ts'

/** References in a document → absolute URLs. Only those that are not plain go through the platform's URL parser. */
export class Base {
  readonly url: string
  /** By shape: what stands in front of a plain reference. Empty: the base is no web address, so none is plain. */
  readonly #prefixes: readonly string[]
  readonly #maxChars: number
  readonly charset: string

  /** `charset`: of the document, which decides how queries are written. */
  constructor(url: string, maxChars: number, charset = 'utf-8') {
    this.url = url
    this.#maxChars = maxChars
    this.charset = charset
    const href = webHref(url)
    this.#prefixes = href === '' ? [] : prefixesOf(href)
  }

  /** `''`: not a web address, malformed or too long. */
  resolve(bytes: Buffer, start: number, end: number): string {
    let from = start
    let to = end
    while (from < to && bytes[from]! <= 0x20) from++
    while (to > from && bytes[to - 1]! <= 0x20) to--
    if (to - from > this.#maxChars) return ''
    const shape = shapeOf(bytes, from, to)
    const prefix = this.prefix(shape)
    if (prefix === undefined) return this.#parsed(bytes.toString('utf8', from, to))
    return prefix + bytes.toString('latin1', from, to)
  }

  resolveText(reference: string): string {
    const bytes = Buffer.from(reference)
    return this.resolve(bytes, 0, bytes.length)
  }

  /** Scheme, host and port; empty where the base is no web address. */
  get origin(): string {
    return this.prefix(FROM_ORIGIN) ?? ''
  }

  /** What makes a reference of this shape absolute; `undefined`: the URL parser must decide. */
  prefix(shape: Shape): string | undefined {
    return shape === NOT_PLAIN ? undefined : this.#prefixes[shape]
  }

  #parsed(reference: string): string {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(reference.replace(/[\t\n\r]/g, ''))?.[0].toLowerCase()
    if (scheme !== undefined && scheme !== 'http:' && scheme !== 'https:') return ''
    const url = URL.parse(withEncodedQuery(reference, this.charset), this.url)
    if (url === null || !isWeb(url)) return ''
    return url.href.length > this.#maxChars ? '' : url.href
  }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** Of the last URL whose host is not plain, such as one with a port, as the parser wrote it: its pages come together. */
let parsedOrigin = ''

/** `''`: no web address. */
function webHref(url: string): string {
  const bytes = Buffer.from(url)
  if (shapeOf(bytes, 0, bytes.length) === ABSOLUTE) return url
  const isKnown = parsedOrigin !== '' && url.startsWith(parsedOrigin)
  if (isKnown && shapeOf(bytes, parsedOrigin.length, bytes.length) === FROM_ORIGIN) return url
  const parsed = URL.parse(url)
  if (parsed === null || !isWeb(parsed)) return ''
  parsedOrigin = parsed.origin
  return parsed.href
}

/** In the order of the shapes. */
function prefixesOf(href: string): string[] {
  const protocol = href.slice(0, href.indexOf(':') + 1)
  const origin = href.slice(0, href.indexOf('/', protocol.length + 2))
  const whole = upTo(href, '#')
  const path = upTo(whole, '?')
  return ['', '', protocol, origin, path.slice(0, path.lastIndexOf('/') + 1), path, whole]
}

function upTo(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return at < 0 ? text : text.slice(0, at)
}
