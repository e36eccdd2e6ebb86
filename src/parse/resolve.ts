/**
 * References in a document → absolute URLs. Most references on the web are plain (`/path?query`, `https://host/path`), and
 * joining them to the base gives exactly what the platform's URL parser would: only the others go through it.
 */
export class Base {
  readonly url: string
  readonly #scheme: string
  readonly #origin: string
  /** Up to and with the last slash of the path; empty: the base has no hierarchy. */
  readonly #folder: string
  readonly #path: string
  readonly #withQuery: string
  readonly #maxChars: number

  constructor(url: string, maxChars: number) {
    const parsed = URL.parse(url)
    const isWeb = parsed !== null && (parsed.protocol === 'http:' || parsed.protocol === 'https:')
    this.url = url
    this.#maxChars = maxChars
    this.#scheme = isWeb ? parsed.protocol : ''
    // With user and password, unlike `URL.origin`.
    const path = isWeb ? parsed.pathname : ''
    const prefix = isWeb ? parsed.href.slice(0, parsed.href.indexOf('/', parsed.protocol.length + 2)) : ''
    this.#origin = prefix
    this.#path = prefix + path
    this.#folder = prefix + path.slice(0, path.lastIndexOf('/') + 1)
    this.#withQuery = this.#path + (isWeb ? parsed.search : '')
  }

  /** `''`: not a web address, malformed or too long. */
  resolve(bytes: Buffer, start: number, end: number): string {
    let from = start
    let to = end
    while (from < to && bytes[from]! <= 0x20) from++
    while (to > from && bytes[to - 1]! <= 0x20) to--
    if (to - from > this.#maxChars) return ''
    const plain = this.#plain(bytes, from, to)
    return plain === undefined ? this.#parsed(bytes.toString('utf8', from, to)) : plain
  }

  resolveText(reference: string): string {
    const bytes = Buffer.from(reference)
    return this.resolve(bytes, 0, bytes.length)
  }

  /** `undefined`: the URL parser must decide. */
  #plain(bytes: Buffer, from: number, to: number): string | undefined {
    if (this.#origin === '') return undefined
    const first = from < to ? bytes[from]! : 0
    if (first === SLASH) {
      const isHost = bytes[from + 1] === SLASH
      const pathAt = isHost ? plainHostEnd(bytes, from + 2, to) : from
      if (pathAt < 0 || !isPlainPath(bytes, pathAt, to)) return undefined
      return (isHost ? this.#scheme : this.#origin) + bytes.toString('latin1', from, to)
    }
    const hostAt = webSchemeEnd(bytes, from, to)
    if (hostAt > 0) {
      const pathAt = plainHostEnd(bytes, hostAt, to)
      return pathAt > 0 && isPlainPath(bytes, pathAt, to) ? bytes.toString('latin1', from, to) : undefined
    }
    if (first === 0) return this.#withQuery
    if (first === HASH || first === QUESTION) {
      if (!isPlainPath(bytes, from, to)) return undefined
      return (first === HASH ? this.#withQuery : this.#path) + bytes.toString('latin1', from, to)
    }
    return isPlainRelative(bytes, from, to) ? this.#folder + bytes.toString('latin1', from, to) : undefined
  }

  #parsed(reference: string): string {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(reference.replace(/[\t\n\r]/g, ''))?.[0].toLowerCase()
    if (scheme !== undefined && scheme !== 'http:' && scheme !== 'https:') return ''
    const url = URL.parse(reference, this.url)
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return ''
    return url.href.length > this.#maxChars ? '' : url.href
  }
}

const SLASH = 0x2f
const HASH = 0x23
const QUESTION = 0x3f
const DOT = 0x2e
const COLON = 0x3a
const PERCENT = 0x25

/** Bytes that the URL parser leaves as they are in path, query and fragment. */
const plainBytes = new Uint8Array(256)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&()*+,;=:@/?.%#')
  plainBytes[char.charCodeAt(0)] = 1

/** A dot or percent sign behind a slash may be a dot segment, which the parser takes away. */
function isPlainPath(bytes: Buffer, from: number, to: number): boolean {
  let previous = 0
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (plainBytes[byte] === 0) return false
    if (previous === SLASH && (byte === DOT || byte === PERCENT)) return false
    previous = byte
  }
  return true
}

/** `http://` or `https://` in lower case: the place behind it, else -1. */
function webSchemeEnd(bytes: Buffer, from: number, to: number): number {
  if (to - from < 8 || bytes[from] !== 0x68 || bytes[from + 1] !== 0x74) return -1
  if (bytes[from + 2] !== 0x74 || bytes[from + 3] !== 0x70) return -1
  const colon = bytes[from + 4] === 0x73 ? from + 5 : from + 4
  return bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH ? colon + 3 : -1
}

/** The slash behind a host that is already in its normal form, or -1. */
function plainHostEnd(bytes: Buffer, from: number, to: number): number {
  let labelAt = from
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === SLASH) {
      // A last label that begins with a digit may be an address; `xn--` has rules of its own.
      const first = bytes[labelAt]!
      return i > labelAt && (first < 0x30 || first > 0x39) ? i : -1
    }
    if (byte === DOT) {
      if (i === labelAt) return -1
      labelAt = i + 1
    } else if (byte === 0x2d) {
      if (bytes[i - 1] === 0x2d) return -1
    } else if (!((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39))) return -1
  }
  return -1
}

/** A relative path whose first segment holds no colon (else it might be a scheme) and begins with no dot. */
function isPlainRelative(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from] === DOT || bytes[from] === PERCENT || !isPlainPath(bytes, from, to)) return false
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!
    if (byte === COLON) return false
    if (byte === SLASH || byte === QUESTION || byte === HASH) return true
  }
  return true
}
