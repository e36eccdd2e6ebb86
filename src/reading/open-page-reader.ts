import type { Clock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { sharedNames } from '../dns/adapters/redis/shared-names.ts'
import { systemResolver } from '../dns/adapters/system/system-resolver.ts'
import { cachingResolver } from '../dns/caching-resolver.ts'
import type { Resolver } from '../dns/resolver.ts'
import { isFleet } from '../engines/is-fleet.ts'
import { HeldBytes } from '../fetch/held-bytes.ts'
import { httpFetcher } from '../fetch/http/http-fetcher.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Candidates, candidateRules } from './candidates.ts'
import { namedHosts } from './named-hosts.ts'
import { PageLinks } from './page-links.ts'
import { PageReader } from './page-reader.ts'

/** All that a reader must know, as data that can be sent to another thread. */
export interface ReadingOrders {
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
  readonly wholePages: boolean
  /** Of bodies that were received and are not yet stored. */
  readonly maxHeldBytes: number
}

/** A reader in this thread, with resolver and connections of its own. */
export function openPageReader(orders: ReadingOrders, clock: Clock, aborting: AbortSignal): PageReader {
  const { config, seeds, wholePages, maxHeldBytes } = orders
  const { parse, worker, discovery } = config
  const names = isFleet(config.engines) ? sharedNames(config.engines.redis, clock) : undefined
  const caching = cachingResolver(systemResolver(config.dns), clock, config.dns, names)
  const resolver: Resolver = {
    resolve: (name) => caching.resolve(name),
    async [Symbol.asyncDispose]() {
      names?.[Symbol.dispose]()
      await caching[Symbol.asyncDispose]()
    },
  }
  const allowPrivate = namedHosts(seeds, config.allowPrivate)
  const held = new HeldBytes(maxHeldBytes)
  const fetcher = httpFetcher({ resolver, clock, config: config.fetch, allowPrivate, held })
  const scope = makeScope({ ...config.url, seeds })
  const candidates = new Candidates(candidateRules(config, scope), clock)
  const links = new PageLinks(candidates)
  return new PageReader({
    ...{ fetcher, resolver, held, links, candidates, discovery, scope, parse, wholePages, aborting },
    withText: worker.text,
    withArchive: config.store.archive,
  })
}
