import type { Clock } from '../../clock.ts'
import type { Resolver } from '../../dns/resolver.ts'
import type { FetchConfig } from '../config.ts'
import type { Fetcher } from '../fetcher.ts'
import type { FailureCode, FetchOutcome } from '../outcome.ts'
import { outcomeOf } from './answer.ts'
import { Connections } from './connections.ts'
import { guardedConnector } from './connector.ts'
import { Deadlines } from './deadlines.ts'
import { failureOf } from './failure-codes.ts'
import { Reception } from './reception.ts'
import { standingHeaders, withHeaders } from './request-headers.ts'
import { trustedContext } from './tls-trust.ts'

export interface HttpFetcherOptions {
  readonly resolver: Resolver
  readonly clock: Clock
  readonly config: FetchConfig
  /** May this host be reached at a private address? The name is as it stands in the URL, without brackets. */
  readonly allowPrivate?: (hostname: string) => boolean
}

/** Fetches over HTTP/1.1 and HTTP/2. Throws when made with certificate files that cannot be read, never later. */
export function httpFetcher({ resolver, clock, config, allowPrivate = () => false }: HttpFetcherOptions): Fetcher {
  const context = trustedContext(config.caCertificates)
  const connector = guardedConnector({ ...config, resolver, clock, allowPrivate, context })
  const connections = new Connections(config, connector.open)
  const deadlines = new Deadlines(clock)
  const standing = standingHeaders(config)
  const active = new Set<Reception>()

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
      const parsed = URL.parse(url)
      if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:'))
        return Promise.resolve(failed('protocol', `${url} cannot be fetched over HTTP`))

      return new Promise((resolve) => {
        const headers = withHeaders(standing, options?.headers)
        const connection = connections.take(parsed.origin)
        const release = () => {
          active.delete(reception)
          deadlines.delete(reception)
          connections.giveBack(connection)
        }
        const reception = new Reception(config, connection, options, startedAt, clock.now, {
          received(received) {
            const request = { url, startedAt, headers, connection }
            const outcome = outcomeOf(received, request, clock.now() - startedAt, config.maxInflation)
            release()
            resolve(outcome)
          },
          failed(code, detail) {
            // Whether the connection still works is not worth finding out.
            if (code.endsWith('timeout')) connections.retire(connection)
            release()
            resolve(failed(code, detail))
          },
        })
        active.add(reception)
        deadlines.add(reception)
        try {
          const path = parsed.pathname + parsed.search
          connection.client.dispatch({ path, method: 'GET', headers: headers.flat() }, reception)
        } catch (error) {
          const { code, detail } = failureOf(error, 'head')
          reception.fail(code, detail)
        }
      })
    },

    async [Symbol.asyncDispose]() {
      for (const reception of active) reception.fail('cancelled', 'the fetcher was closed')
      connector.close()
      await connections.close()
    },
  }
}
