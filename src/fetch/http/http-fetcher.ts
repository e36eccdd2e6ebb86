import type { Clock } from '../../clock.ts'
import type { Resolver } from '../../dns/resolver.ts'
import { gate } from '../../gate.ts'
import { type CanonicalUrl, originOf, pathOf } from '../../url/keys.ts'
import type { FetchConfig } from '../config.ts'
import type { Fetcher } from '../fetcher.ts'
import { HeldBytes } from '../held-bytes.ts'
import type { FailureCode, FetchOutcome } from '../outcome.ts'
import { Connections } from './connections.ts'
import { guardedConnector } from './connector.ts'
import { Deadlines } from './deadlines.ts'
import { OneFetch } from './one-fetch.ts'
import type { Reception } from './reception.ts'
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
  const parts = { config, clock, held, connections, deadlines, lane: gate(decodedAtOnce) }
  const standing = standingHeaders(config)

  return {
    fetch(url, options) {
      if (options?.signal?.aborted) return unsent('cancelled', 'stopped by the caller')
      const sendable = sendableUrl(url)
      if (!sendable) return unsent('protocol', `${url} cannot be fetched over HTTP`)
      if (options?.headers?.some(isUnsendable)) return unsent('protocol', 'a header that cannot be sent')
      const startedAt = clock.now()
      return new Promise((resolve) => {
        const headers = withHeaders(standing, options?.headers)
        const connection = connections.take(originOf(sendable))
        new OneFetch(parts, { url, headers, connection }, options, startedAt, resolve).send(pathOf(sendable))
      })
    },

    async [Symbol.asyncDispose]() {
      for (const reception of deadlines.watched) reception.fail('cancelled', 'the fetcher was closed')
      connector.close()
      await connections.close()
    },
  }
}

async function unsent(code: FailureCode, detail: string): Promise<FetchOutcome> {
  return { kind: 'failed', code, detail, durationMs: 0 }
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
