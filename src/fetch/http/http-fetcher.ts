import type { Clock } from '../../clock.ts'
import type { Resolver } from '../../dns/resolver.ts'
import { gate } from '../../gate.ts'
import { type CanonicalUrl, originOf, pathOf } from '../../url/keys.ts'
import type { FetchConfig } from '../config.ts'
import type { Fetcher } from '../fetcher.ts'
import { HeldBytes, heldBytesOf } from '../held-bytes.ts'
import type { FailureCode, FetchOutcome } from '../outcome.ts'
import { outcomeOf, unreadExchange } from './answer.ts'
import { Connections } from './connections.ts'
import { guardedConnector } from './connector.ts'
import { Deadlines } from './deadlines.ts'
import { failureOf } from './failure-codes.ts'
import { Reception } from './reception.ts'
import { isUnsendable, standingHeaders, withHeaders } from './request-headers.ts'
import { trustedContext } from './tls-trust.ts'

/** Of large and broken bodies, each of which may take twice the largest page until it is done. */
const decodedAtOnce = 2

export interface HttpFetcherOptions {
  readonly resolver: Resolver
  readonly clock: Clock
  readonly config: FetchConfig
  /** May this host be reached at a private address? The name is as it stands in the URL, without brackets. */
  readonly allowPrivate?: (hostname: string) => boolean
  /** Where answers are accounted for, until whoever asked for them releases them there. None: there is no limit. */
  readonly held?: HeldBytes
}

/** Fetches over HTTP/1.1 and HTTP/2. Throws when made with certificate files that cannot be read, never later. */
export function httpFetcher(options: HttpFetcherOptions): Fetcher {
  const {
    resolver,
    clock,
    config,
    allowPrivate = () => false,
    held = new HeldBytes(Number.POSITIVE_INFINITY),
  } = options
  const context = trustedContext(config.caCertificates)
  const connector = guardedConnector({ ...config, resolver, clock, allowPrivate, context })
  const connections = new Connections(config, connector.open)
  const deadlines = new Deadlines<Reception>(clock)
  const { maxInflation } = config
  const lane = gate(decodedAtOnce)
  const standing = standingHeaders(config)

  /** Decoded, an answer takes more; given up, nothing. */
  function decoded(outcome: FetchOutcome, rawBytes: number): FetchOutcome {
    if (outcome.kind === 'failed') held.release(rawBytes)
    else held.resize(rawBytes, heldBytesOf(outcome.exchange))
    return outcome
  }

  return {
    fetch(url, options) {
      const startedAt = clock.now()
      const failed = (code: FailureCode, detail: string): FetchOutcome => ({
        kind: 'failed',
        code,
        detail,
        durationMs: clock.now() - startedAt,
      })
      if (options?.signal?.aborted) return Promise.resolve(failed('cancelled', 'stopped by the caller'))
      const sendable = sendableUrl(url)
      if (!sendable) return Promise.resolve(failed('protocol', `${url} cannot be fetched over HTTP`))

      if (options?.headers?.some(isUnsendable))
        return Promise.resolve(failed('protocol', 'a header that cannot be sent'))

      return new Promise((resolve) => {
        const headers = withHeaders(standing, options?.headers)
        const connection = connections.take(originOf(sendable))
        const release = () => {
          deadlines.delete(reception)
          connections.giveBack(connection)
        }
        const reception = new Reception(config, connection, options, startedAt, clock.now, held, {
          received(received) {
            const { startedAt, pausedMs, maxBytes, rawBody } = received
            const durationMs = clock.now() - startedAt - pausedMs
            const exchange = unreadExchange(received, { url, startedAt, headers, connection }, durationMs)
            release()
            // After all that this turn receives: decoding a page, which its reading follows, drives from the processor's
            // caches what receiving the next one needs.
            setImmediate(() => {
              const givesBodyBack = options?.givesBodyBack === true
              const outcome = outcomeOf(exchange, { maxInflation, lane, maxBytes, givesBodyBack })
              const { length } = rawBody
              resolve(outcome instanceof Promise ? outcome.then((it) => decoded(it, length)) : decoded(outcome, length))
            })
          },
          failed(code, detail) {
            // Whether the connection still works is not worth finding out.
            if (code.endsWith('timeout')) connections.retire(connection)
            release()
            resolve(failed(code, detail))
          },
        })
        deadlines.add(reception)
        try {
          connection.send({ path: pathOf(sendable), headers }, reception)
        } catch (error) {
          const { code, detail } = failureOf(error, 'head')
          reception.fail(code, detail)
        }
      })
    },

    async [Symbol.asyncDispose]() {
      for (const reception of deadlines.watched) reception.fail('cancelled', 'the fetcher was closed')
      connector.close()
      await connections.close()
    },
  }
}

/** As canonical URLs are written, so that they need not be parsed again: nothing in them can end a request's line. */
const PLAIN_URL = /^https?:\/\/[a-z\d.:_[\]-]+\/[\w!$%&'()*+,./:;=?@[\]|~-]*$/

/** The URL as it may be sent; `undefined`: it is no web address. */
function sendableUrl(url: CanonicalUrl): CanonicalUrl | undefined {
  if (PLAIN_URL.test(url)) return url
  const parsed = URL.parse(url)
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined
  return `${parsed.origin}${parsed.pathname}${parsed.search}` as CanonicalUrl
}
