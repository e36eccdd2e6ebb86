import type { IncomingHttpHeaders } from 'node:http'
import type { Document } from './document.ts'

export type Scheme = 'http' | 'https'

/** What a client asked for. */
export interface WebRequest {
  readonly scheme: Scheme
  readonly method: string
  /** Path and query in canonical form. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Monotonic milliseconds of real time: for rates, never for content. */
  readonly atMs: number
}

export type Headers = Readonly<Record<string, string>>

/** What a host does with a request. Values, so that a character can be read and tested without a socket. */
export type Answer =
  /** A page with validators, compressed as the client likes. Its bytes are kept under `keptAs`, if given. */
  | { readonly kind: 'document'; readonly document: () => Document; readonly keptAs?: string }
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: Headers
      readonly body: Buffer
      /** Before the first byte. */
      readonly delayMs?: number
    }
  /** Sends head and chunks apart; never ends when the chunks do not. */
  | {
      readonly kind: 'stream'
      readonly status: number
      readonly headers: Headers
      readonly chunks: Iterable<Buffer>
      readonly everyMs: number
    }
  /** Bytes on the bare connection, HTTP or not. */
  | { readonly kind: 'raw'; readonly bytes: Buffer; readonly end: 'close' | 'reset' | 'hold' }
  | { readonly kind: 'delayed'; readonly delayMs: number; readonly answer: Answer }

export function response(status: number, body: string | Buffer = '', headers: Headers = {}): Answer {
  const type = { 'content-type': 'text/html; charset=utf-8' }
  return { kind: 'response', status, headers: { ...type, ...headers }, body: Buffer.from(body) }
}

export function plainText(status: number, body: string, headers: Headers = {}): Answer {
  return response(status, body, { 'content-type': 'text/plain; charset=utf-8', ...headers })
}

export function redirect(location: string, status = 301): Answer {
  return response(status, `<a href="${location}">moved</a>`, { location })
}

export const reset: Answer = { kind: 'raw', bytes: Buffer.alloc(0), end: 'reset' }
export const silence: Answer = { kind: 'raw', bytes: Buffer.alloc(0), end: 'hold' }

export function raw(text: string | Buffer, end: 'close' | 'reset' | 'hold' = 'close'): Answer {
  return { kind: 'raw', bytes: typeof text === 'string' ? Buffer.from(text, 'latin1') : text, end }
}
