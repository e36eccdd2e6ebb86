import type { CanonicalUrl } from '../../url/keys.ts'
import { type Exchange, type FetchOutcome, type Header, header } from '../outcome.ts'
import type { Connection } from './connection.ts'
import { type DecodedBody, decodeBody } from './decode-body.ts'
import type { Received } from './reception.ts'
import { redirectTarget } from './redirects.ts'
import { headersOnTheWire } from './request-headers.ts'
import type { DecodeLimits } from './salvage.ts'

export interface Request {
  readonly url: CanonicalUrl
  readonly headers: readonly Header[]
  readonly connection: Connection
}

/** An exchange whose body is still encoded: it becomes the exchange itself when that is done. */
export type Unread = { -readonly [Part in keyof Exchange]: Exchange[Part] }

const noBytes = Buffer.alloc(0)

/** To be made before the connection is left to others. */
export function unreadExchange(
  { startedAt, status, statusText, headers, rawBody, truncated }: Received,
  { url, headers: requestHeaders, connection }: Request,
  durationMs: number,
): Unread {
  const { protocol } = connection
  return {
    url,
    method: 'GET',
    startedAt,
    durationMs,
    address: connection.opened?.address ?? '',
    protocol,
    requestHeaders: headersOnTheWire(connection.host, protocol, requestHeaders),
    status,
    statusText,
    headers,
    rawBody,
    body: noBytes,
    truncated,
  }
}

/** What was received → the outcome of the fetch; at once, unless the body is large or broken. */
export function outcomeOf(exchange: Unread, limits: DecodeLimits): FetchOutcome | Promise<FetchOutcome> {
  const decoded = decodeBody(exchange.rawBody, header(exchange.headers, 'content-encoding'), limits)
  return decoded instanceof Promise ? decoded.then((body) => withBody(exchange, body)) : withBody(exchange, decoded)
}

function withBody(unread: Unread, decoded: DecodedBody): FetchOutcome {
  if (decoded.kind === 'failed' && unread.status === 200)
    return { kind: 'failed', code: decoded.code, detail: decoded.detail, durationMs: unread.durationMs }
  // A redirect or an error says enough without its body.
  const { body, cut } = decoded.kind === 'failed' ? ({ body: noBytes, cut: 'length' } as const) : decoded
  unread.body = body
  unread.truncated ??= cut
  const exchange: Exchange = unread
  const location = redirectTarget(exchange.status, exchange.headers, exchange.url)
  return location === undefined ? { kind: 'fetched', exchange } : { kind: 'redirected', exchange, location }
}
