import { loadConfig, type Tree } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlFolder } from '../embedded/crawl-folder.ts'
import { canonicalRules } from '../url/canonical.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { canonicalSeeds } from '../worker/seeds.ts'

/** The URL that a person means, in the form that the crawl in this folder knows it by; `example.com` will do. */
export function pageUrl(
  folder: CrawlFolder,
  args: readonly string[],
  usage: string,
): { url: CanonicalUrl; config: Config } {
  const { config } = loadConfig({ base: folder.orders.config as Tree })
  if (!args[0]) throw new UsageError(`Name a URL: ${usage}`)
  return { url: canonicalSeeds([args[0]], canonicalRules(config.url))[0]!, config }
}
