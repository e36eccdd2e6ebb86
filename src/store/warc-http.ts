import type { Header } from '../fetch/outcome.ts'
import { header, isNamed } from '../fetch/outcome.ts'
import { hostOf, pathOf } from '../url/keys.ts'
import type { KeptExchange } from './archive.ts'

/**
 * HTTP heads as they stand in WARC records, both ways. What we keep is the body after transfer decoding, so headers that
 * would contradict it are renamed rather than lost: `X-Archive-Orig-…` still tells what the server said.
 */
const RENAMED = 'X-Archive-Orig-'
const BODILESS = new Set([204, 304])

export function requestHead({ url, method, requestHeaders }: KeptExchange): string {
  let head = `${oneLine(`${method} ${pathOf(url)} HTTP/1.1`)}\r\n`
  if (header(requestHeaders, 'host') === undefined) head += line('Host', hostOf(url))
  for (const { 0: name, 1: value } of requestHeaders) head += line(name, value)
  return `${head}\r\n`
}

export function responseHead(exchange: KeptExchange): string {
  const { headers, rawBody } = exchange
  let head = `${oneLine(`HTTP/1.1 ${exchange.status} ${exchange.statusText}`)}\r\n`
  for (const { 0: name, 1: value } of headers) {
    if (isNamed(name, 'transfer-encoding')) head += line(`${RENAMED}${name}`, value)
    else if (isNamed(name, 'content-length') && !tellsLength(value, exchange))
      head += line(name, String(rawBody.length)) + line(`${RENAMED}${name}`, value)
    else head += line(name, value)
  }
  return `${head}\r\n`
}

function tellsLength(value: string, { method, status, rawBody }: KeptExchange): boolean {
  return method === 'HEAD' || BODILESS.has(status) || value.trim() === String(rawBody.length)
}

/** A line break inside a header would forge another one; HTTP/2's `:pseudo` headers have no place in a text head. */
function line(name: string, value: string): string {
  return name.startsWith(':') ? '' : `${oneLine(name)}: ${oneLine(value)}\r\n`
}

/** Header bytes travel as Latin-1 through Node; whatever does not fit was decoded by someone and is written as UTF-8. */
export function headBytes(head: string): Buffer {
  return Buffer.from(head, /[^\0-\xff]/.test(head) ? 'utf8' : 'latin1')
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
