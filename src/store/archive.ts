import type { Exchange } from '../fetch/outcome.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { WarcPlace } from './url-record.ts'

/** As it crossed the wire: how its body decodes is not the archive's business. */
export type KeptExchange = Omit<Exchange, 'body'>

/** Points at the exchange whose body a revisit record leaves out. */
export interface RevisitOf {
  readonly url: CanonicalUrl
  readonly fetchedAt: number
}

/** Keeps exchanges for ever, as WARC 1.1. */
export interface Archive extends AsyncDisposable {
  /**
   * Appends request and response (or revisit) records and answers the place of the latter. The place is final, but the
   * bytes are safe and readable by others only after `flush`. After a crash nothing that was not flushed remains.
   * Nothing of the exchange is used after the answer, so that the memory of its body can be used again.
   * `payloadHash` is the SHA-256 of the body as received, hexadecimal. It must be that of the exchange that `revisitOf`
   * names, else the response is kept whole; of a 304, which has no body, the server's word is taken.
   */
  append(exchange: KeptExchange, payloadHash: string, revisitOf?: RevisitOf): Promise<WarcPlace>
  /** Resolves when all that was appended before is safe. */
  flush(): Promise<void>
  /** Headers and body of a stored response, following a revisit to its original. `undefined`: not there. */
  read(place: WarcPlace): Promise<ArchivedResponse | undefined>
}

export interface ArchivedResponse {
  readonly url: string
  readonly fetchedAt: number
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  /** Still in its content encoding. */
  readonly rawBody: Buffer
  /** Decoded; the same buffer where there was nothing to decode. */
  readonly body: Buffer
}
