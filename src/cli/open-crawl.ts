import { configOfOrders, loadConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlReader } from '../crawl-reader.ts'
import { openCrawlFolder } from '../embedded/crawl-folder.ts'
import { openReader } from '../embedded/open-reader.ts'
import { isFleet } from '../engines/is-fleet.ts'
import { canonicalRules } from '../url/canonical.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { canonicalSeeds } from '../worker/seeds.ts'
import type { Invocation } from './command.ts'
import { sourcesOf } from './crawl-settings.ts'

/**
 * The crawl that a command is about: the one in the folder; by its name, or the newest, on the server that is named or in
 * the fleet whose engines the settings name.
 */
export async function openCrawlOf(
  invocation: Invocation,
  access: 'shared' | 'exclusive' = 'shared',
): Promise<CrawlReader> {
  if (invocation.given.server !== undefined) return openOnServer(invocation)
  const engines = fleetOf(invocation)
  if (!engines) return openReader(openCrawlFolder(invocation.out), access)
  const { openCrawlOfFleet } = await import('./fleet-crawl.ts')
  return openCrawlOfFleet(engines, invocation.given.crawl as string | undefined)
}

async function openOnServer(invocation: Invocation): Promise<CrawlReader> {
  const { clientOf, crawlOn } = await import('./server-client.ts')
  const { openRemoteCrawl } = await import('./remote-crawl.ts')
  const client = clientOf(invocation)!
  return openRemoteCrawl(client, await crawlOn(client, invocation))
}

/** The settings, where they name the engines of a fleet. */
export function fleetOf(invocation: Invocation): Config | undefined {
  const { config } = loadConfig(sourcesOf(invocation))
  return isFleet(config.engines) ? config : undefined
}

export const configOf = ({ orders }: CrawlReader): Config => configOfOrders(orders)

/** The URL that a person means, in the form that the crawl knows it by; `example.com` will do. */
export function pageUrl(config: Config, [url]: readonly string[], usage: string): CanonicalUrl {
  if (!url) throw new UsageError(`Name a URL: ${usage}`)
  return canonicalSeeds([url], canonicalRules(config.url))[0]!
}
