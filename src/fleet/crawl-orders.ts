import { configOfOrders, type Tree } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import type { EnginesConfig } from '../engines/config.ts'
import { canonicalRules } from '../url/canonical.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { canonicalSeeds } from '../worker/seeds.ts'
import type { CrawlOrders } from './registry/crawls.ts'

/** What belongs to a crawl of the settings that were given: who takes part in the fleet brings its own of the others. */
export function withoutEngines(given: Tree): Tree {
  const { engines: _engines, server: _server, orchestrator: _orchestrator, monitor: _monitor, ...rest } = given
  return rest
}

/** A crawl's settings, as a member of the fleet reads them. */
export function configOf({ config }: Pick<CrawlOrders, 'config'>, engines: EnginesConfig): Config {
  return { ...configOfOrders({ config }), engines }
}

export function seedsOf({ seeds }: CrawlOrders, config: Config): CanonicalUrl[] {
  return canonicalSeeds(seeds, canonicalRules(config.url))
}
