import type { FetchConfig } from '../config.ts'
import type { Header } from '../outcome.ts'
import type { OutgoingRequest } from './answer-receiver.ts'

/** What every request says about us. */
export function standingHeaders(
  config: Pick<FetchConfig, 'userAgent' | 'contact' | 'acceptLanguage'>,
): readonly Header[] {
  return [
    ['User-Agent', userAgent(config)],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5'],
    ['Accept-Language', config.acceptLanguage],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ]
}

/** The product's name comes first, so that it is also the robots token whoever reads the log looks for. */
export function userAgent({ userAgent, contact }: Pick<FetchConfig, 'userAgent' | 'contact'>): string {
  return userAgent ?? `orbweaver/0.1 (+${contact})`
}

/** A header asked for replaces the standing one of the same name. */
export function withHeaders(standing: readonly Header[], asked: readonly Header[] | undefined): readonly Header[] {
  if (!asked || asked.length === 0) return standing
  const names = new Set(asked.map(([name]) => name.toLowerCase()))
  return [...standing.filter(([name]) => !names.has(name.toLowerCase())), ...asked]
}

/** A request as it is sent over HTTP/1.1. */
export function requestHead(host: string, { path, headers }: OutgoingRequest): string {
  return `GET ${path} HTTP/1.1\r\n${writtenFor(host, headers).text}\r\n`
}

interface Written {
  readonly host: string
  readonly headers: readonly Header[]
  readonly onTheWire: readonly Header[]
  readonly text: string
}

/** Nearly every request says the same as the one before. */
let written: Written = { host: '', headers: [], onTheWire: [], text: '' }

function writtenFor(host: string, headers: readonly Header[]): Written {
  if (headers === written.headers && host === written.host) return written
  const onTheWire: readonly Header[] = [['host', host], ['connection', 'keep-alive'], ...headers]
  written = { host, headers, onTheWire, text: onTheWire.map(headerLine).join('') }
  return written
}

function headerLine([name, value]: Header): string {
  return `${name}: ${value}\r\n`
}

/** One that would be more than a header. */
export function isUnsendable([, value]: Header): boolean {
  return /[\0\r\n]/.test(value)
}

/** What our client puts in front of the headers it is given, so that the archived request is the one that was sent. */
export function headersOnTheWire(
  host: string,
  protocol: 'http/1.1' | 'h2',
  headers: readonly Header[],
): readonly Header[] {
  return protocol === 'h2' ? [['host', host], ...headers] : writtenFor(host, headers).onTheWire
}
