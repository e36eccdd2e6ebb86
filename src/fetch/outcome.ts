import type { CanonicalUrl } from '../url/keys.ts'

/** A header as it came: name in its original case, repeated headers kept apart and in order. */
export type Header = readonly [name: string, value: string]

/** A request with its response, as they crossed the wire (chunking removed, content encoding kept). */
export interface Exchange {
  readonly url: CanonicalUrl
  readonly method: 'GET' | 'HEAD'
  readonly startedAt: number
  readonly durationMs: number
  /** The address that was connected to. */
  readonly address: string
  readonly protocol: 'http/1.1' | 'h2'
  readonly requestHeaders: readonly Header[]
  readonly status: number
  readonly statusText: string
  readonly headers: readonly Header[]
  /** As received, still in its content encoding. */
  readonly rawBody: Buffer
  /** Decoded; the same buffer when there was no content encoding. */
  readonly body: Buffer
  /** The body was cut at a limit (`bytes`, `time`) or ended early (`length`). */
  readonly truncated: 'bytes' | 'time' | 'length' | null
}

/** Every way in which a visit can fail; `retry.ts` says what follows. */
export type FailureCode =
  | 'dns-not-found'
  | 'dns-failed'
  | 'address-refused'
  | 'connect-refused'
  | 'connect-timeout'
  | 'connect-failed'
  /** The certificate has expired, or is not yet valid. */
  | 'tls-expired'
  /** The certificate is for other names. */
  | 'tls-wrong-name'
  /** Nobody whom we trust stands for the certificate. */
  | 'tls-untrusted'
  /** Any other fault of TLS, such as a server that speaks none. */
  | 'tls-invalid'
  | 'first-byte-timeout'
  | 'body-timeout'
  | 'total-timeout'
  | 'reset'
  | 'protocol'
  | 'body-too-large'
  | 'inflate-too-large'
  | 'bad-encoding'
  | 'cancelled'
  /** Ours, not the server's: the thread that read the answer ended before it was done. */
  | 'reader-died'

export type FetchOutcome =
  | { readonly kind: 'fetched'; readonly exchange: Exchange }
  | { readonly kind: 'redirected'; readonly exchange: Exchange; readonly location: string }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string; readonly durationMs: number }

/** `name` in lower case. */
export function header(headers: readonly Header[], name: string): string | undefined {
  for (const header of headers) if (isNamed(header[0], name)) return header[1]
  return undefined
}

/** Asked a dozen times for a page: nothing is made in lower case. Names are letters, digits and hyphens. */
export function isNamed(key: string, name: string): boolean {
  if (key.length !== name.length) return false
  for (let at = 0; at < name.length; at++) if ((key.charCodeAt(at) | 0x20) !== name.charCodeAt(at)) return false
  return true
}

/** The values of a header that may be repeated. */
export function headersNamed(headers: readonly Header[], name: string): readonly string[] {
  if (header(headers, name) === undefined) return NONE
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}

const NONE: readonly string[] = []
