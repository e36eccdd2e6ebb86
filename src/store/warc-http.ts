import type { Header } from '../fetch/outcome.ts'
import { header } from '../fetch/outcome.ts'
import { hostOf, pathOf } from '../url/keys.ts'
import type { KeptExchange } from './archive.ts'

/**
 * HTTP heads as they stand in WARC records, both ways. What we keep is the body after transfer decoding, so headers that
 * would contradict it are renamed rather than lost: `X-Archive-Orig-…` still tells what the server said.
 */
const RENAMED = 'X-Archive-Orig-'
const BODILESS = new Set([204, 304])

export function requestHead(exchange: KeptExchange): Buffer {
  const { url, method, requestHeaders } = exchange
  const named = requestHeaders.some(([name]) => name.toLowerCase() === 'host')
  const headers: readonly Header[] = named ? requestHeaders : [['Host', hostOf(url)], ...requestHeaders]
  return headBytes(`${method} ${pathOf(url)} HTTP/1.1`, headers)
}

export function responseHead(exchange: KeptExchange): Buffer {
  const status = `HTTP/1.1 ${exchange.status} ${exchange.statusText}`
  return headBytes(status, consistentHeaders(exchange))
}

function consistentHeaders(exchange: KeptExchange): readonly Header[] {
  const bodyBytes = String(exchange.rawBody.length)
  const mayLackBody = exchange.method === 'HEAD' || BODILESS.has(exchange.status)
  const headers: Header[] = []
  for (const [name, value] of exchange.headers) {
    const lower = name.toLowerCase()
    if (lower === 'transfer-encoding') headers.push([`${RENAMED}${name}`, value])
    else if (lower === 'content-length' && !mayLackBody && value.trim() !== bodyBytes) {
      headers.push([name, bodyBytes], [`${RENAMED}${name}`, value])
    } else headers.push([name, value])
  }
  return headers
}

/** A line break inside a header would forge another one; HTTP/2's `:pseudo` headers have no place in a text head. */
function headBytes(firstLine: string, headers: readonly Header[]): Buffer {
  let text = `${oneLine(firstLine)}\r\n`
  for (const [name, value] of headers) if (!name.startsWith(':')) text += `${oneLine(name)}: ${oneLine(value)}\r\n`
  text += '\r\n'
  // Header bytes travel as Latin-1 through Node; whatever does not fit was decoded by someone and is written as UTF-8.
  return Buffer.from(text, /[^\0-\xff]/.test(text) ? 'utf8' : 'latin1')
}

export const oneLine = (text: string): string => (/[\r\n\0]/.test(text) ? text.replace(/[\r\n\0]+/g, ' ') : text)

export interface HttpResponse {
  readonly status: number
  readonly headers: readonly Header[]
  /** Still in its content encoding. */
  readonly rawBody: Buffer
}

/** `undefined`: these bytes are no HTTP response. */
export function parseHttpResponse(block: Buffer): HttpResponse | undefined {
  const end = block.indexOf('\r\n\r\n')
  const head = block.toString('latin1', 0, end === -1 ? block.length : end)
  const [first = '', ...lines] = head.split('\r\n')
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(first)?.[1]
  if (!status) return undefined
  const headers: Header[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.push([line.slice(0, colon), line.slice(colon + 1).trim()])
  }
  return { status: Number(status), headers, rawBody: end === -1 ? Buffer.alloc(0) : block.subarray(end + 4) }
}

const COMPRESSED_TYPE =
  /^(?:image\/(?!svg|bmp|x-icon|vnd\.microsoft)|audio\/|video\/|font\/woff|application\/(?:zip|gzip|x-gzip|zstd|x-7z|x-rar|x-bzip|x-xz|java-archive|epub|pdf|vnd\.openxmlformats))/i

/** Compressing such a body again would cost time and gain nothing. */
export function isCompressed(headers: readonly Header[]): boolean {
  const encoding = header(headers, 'content-encoding')?.trim().toLowerCase() ?? ''
  return (encoding !== '' && encoding !== 'identity') || COMPRESSED_TYPE.test(header(headers, 'content-type') ?? '')
}
