import type { UrlConfig } from './config.ts'
import { type CanonicalUrl, hostnameOf, hostOf, pathOf, registrableDomain } from './keys.ts'
import { type UrlPattern, urlPattern } from './patterns.ts'

/** Why a URL is not of this crawl. `detail` names what decided. */
export interface ScopeRefusal {
  readonly reason: 'out-of-scope' | 'not-included' | 'excluded-by-pattern'
  readonly detail: string
}

/** Which URLs belong to a crawl. */
export interface Scope {
  /** `undefined`: it belongs. */
  judge(url: CanonicalUrl): ScopeRefusal | undefined
  /** The same by the patterns alone that exclude: what stands beside the pages need not lie where they must. */
  exclusion(url: CanonicalUrl): ScopeRefusal | undefined
  /**
   * Adds a host (with its port when that is not the default) to a scope of hosts or folders, where a seed has led to it:
   * `example.com` to `www.example.com`. In a scope of domains its domain is added.
   */
  widen(host: string): void
  /** Whether the crawl was told to begin on its host. */
  isOnSeedHost(url: CanonicalUrl): boolean
}

export type ScopeOptions = Pick<UrlConfig, 'scope' | 'include' | 'exclude' | 'privateSuffixes'> & {
  readonly seeds: readonly CanonicalUrl[]
}

/** Throws a UsageError that names the first pattern which cannot be. */
export function makeScope(options: ScopeOptions): Scope {
  const reach = reachOf(options)
  const include = options.include.map(urlPattern)
  const exclude = options.exclude.map(urlPattern)
  const seedHosts = new Set(options.seeds.map(hostnameOf))
  function exclusion(url: CanonicalUrl): ScopeRefusal | undefined {
    const excluding = firstMatch(exclude, url)
    return excluding && { reason: 'excluded-by-pattern', detail: excluding.text }
  }
  return {
    exclusion,
    judge(url) {
      if (!reach.holds(url)) return { reason: 'out-of-scope', detail: `${hostOf(url)} (${options.scope})` }
      const excluded = exclusion(url)
      if (excluded) return excluded
      if (include.length > 0 && !firstMatch(include, url)) return { reason: 'not-included', detail: 'no pattern fits' }
      return undefined
    },
    widen: (host) => reach.add(host),
    isOnSeedHost: (url) => seedHosts.has(hostnameOf(url)),
  }
}

function firstMatch(patterns: readonly UrlPattern[], url: CanonicalUrl): UrlPattern | undefined {
  for (const pattern of patterns) if (pattern.matches(url)) return pattern
  return undefined
}

/** How far the crawl goes, patterns aside. */
interface Reach {
  holds(url: CanonicalUrl): boolean
  add(host: string): void
}

function reachOf({ scope, seeds, privateSuffixes }: ScopeOptions): Reach {
  switch (scope) {
    case 'any':
      return { holds: () => true, add: () => undefined }
    case 'host': {
      const hosts = new Set(seeds.map(hostOf))
      return { holds: (url) => hosts.has(hostOf(url)), add: (host) => void hosts.add(host) }
    }
    case 'domain':
      return domainReach(seeds, privateSuffixes)
    case 'prefix':
      return prefixReach(seeds)
    default:
      return scope satisfies never
  }
}

/** A name without a registrable domain (an address, `localhost`) stands for itself. */
function domainReach(seeds: readonly CanonicalUrl[], privateSuffixes: boolean): Reach {
  const domainOf = (hostname: string) => registrableDomain(hostname, privateSuffixes) ?? hostname
  const domains = new Set(seeds.map((seed) => domainOf(hostnameOf(seed))))
  return {
    holds: (url) => domains.has(domainOf(hostnameOf(url))),
    add: (host) => void domains.add(domainOf(host.replace(/:\d+$/, ''))),
  }
}

/** The folders of the seeds, by http or https. A host added later has the folders of all seeds. */
function prefixReach(seeds: readonly CanonicalUrl[]): Reach {
  const folderOf = (seed: CanonicalUrl) => /^[^?]*\//.exec(pathOf(seed))?.[0] ?? '/'
  const everyFolder = [...new Set(seeds.map(folderOf))]
  const folders = new Map<string, readonly string[]>()
  for (const seed of seeds) folders.set(hostOf(seed), [...(folders.get(hostOf(seed)) ?? []), folderOf(seed)])
  return {
    holds: (url) => folders.get(hostOf(url))?.some((folder) => pathOf(url).startsWith(folder)) ?? false,
    add: (host) => {
      if (!folders.has(host)) folders.set(host, everyFolder)
    },
  }
}
