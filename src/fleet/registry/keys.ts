import { UsageError } from '../../config/usage-error.ts'

/**
 * Names of what belongs to the fleet as a whole. It is little and changes seldom, so that all of it lies under one hash
 * tag: a script can touch several of the keys also in a Cluster.
 */
export interface RegistryKeys {
  readonly crawls: string
  readonly activeCrawls: string
  readonly crawlsVersion: string
  readonly workers: string
  readonly workerFacts: string
  readonly leader: string
  readonly leaderTerm: string
  readonly scaling: string
  readonly alerts: string
  readonly hostSettings: string
  readonly hostSettingsVersion: string
  readonly audit: string
  crawl(id: string): string
  crawlFacts(id: string): string
  crawlList(id: string, name: string): string
  crew(id: string): string
}

export function registryKeys(prefix: string): RegistryKeys {
  const named = (name: string) => `${prefix}:{${prefix}:registry}:${name}`
  return {
    crawls: named('crawls'),
    activeCrawls: named('crawls:active'),
    crawlsVersion: named('crawls:version'),
    workers: named('workers'),
    workerFacts: named('workers:facts'),
    leader: named('leader'),
    leaderTerm: named('leader:term'),
    scaling: named('scaling'),
    alerts: named('alerts'),
    hostSettings: named('hosts'),
    hostSettingsVersion: named('hosts:version'),
    audit: named('audit'),
    crawl: (id) => named(`crawl:${checkedId(id)}`),
    crawlFacts: (id) => named(`crawl:${checkedId(id)}:facts`),
    crawlList: (id, name) => named(`crawl:${checkedId(id)}:list:${name}`),
    crew: (id) => named(`crawl:${checkedId(id)}:crew`),
  }
}

/** Ids stand in names of keys, topics and folders. */
export function checkedId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) return id
  throw new UsageError(
    `"${id.slice(0, 80)}" cannot be the id of a crawl: use up to 64 letters, digits, dots, hyphens and underscores.`,
  )
}
