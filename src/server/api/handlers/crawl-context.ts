import { configOfOrders } from '../../../config/load.ts'
import type { Config } from '../../../config/schema.ts'
import type { CrawlReader } from '../../../crawl-reader.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import type { UrlRecord } from '../../../store/url-record.ts'
import { canonicalRules } from '../../../url/canonical.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { canonicalSeeds } from '../../../worker/seeds.ts'
import type { Desk } from '../handler.ts'

/** A crawl for reading, with its settings. */
export async function crawlContext({ operations }: Desk, id: string): Promise<{ reader: CrawlReader; config: Config }> {
  const reader = await operations.crawls.read(id)
  return { reader, config: configOfOrders(reader.orders) }
}

/** The URL that a person means, in the form that the crawl knows it by. */
export function urlIn(config: Config, text: string): CanonicalUrl {
  return canonicalSeeds([text], canonicalRules(config.url))[0]!
}

/** What is known of a page that was visited. */
export async function recordIn(
  desk: Desk,
  crawl: string,
  text: string,
): Promise<{ reader: CrawlReader; record: UrlRecord }> {
  const { reader, config } = await crawlContext(desk, crawl)
  const url = urlIn(config, text)
  const record = await reader.records.get(url)
  if (!record) throw new Refusal('not-found', `${url} was not stored; its life tells what became of it.`)
  return { reader, record }
}
