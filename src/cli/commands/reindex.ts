import { UsageError } from '../../config/usage-error.ts'
import type { Command, Invocation } from '../command.ts'
import { CrawlFailed } from '../crawl-failed.ts'
import { fleetOf } from '../open-crawl.ts'
import { counted } from '../units.ts'

export const reindex: Command = {
  name: 'reindex',
  usage: '--config FILE | --server URL [--crawl NAME]',
  summary: "builds the search index of a fleet's crawl anew from its records, beside the crawl",
  details: 'Searches use the old index until the new one is whole. Safe to repeat after an interruption.',
  flags: {},
  async run(invocation) {
    const { given, json, terminal } = invocation
    const { crawl, pages } = given.server === undefined ? await inFleet(invocation) : await onServer(invocation)
    if (json) terminal.print(JSON.stringify({ crawl, pages }))
    else terminal.print(`${counted(pages, 'page')} of ${crawl} searchable anew.`)
    return 0
  },
}

interface Reindexed {
  readonly crawl: string
  readonly pages: number
}

async function inFleet(invocation: Invocation): Promise<Reindexed> {
  const config = fleetOf(invocation)
  if (!config)
    throw new UsageError(
      '`reindex` is for fleets, whose engines the settings name (--config FILE), and servers (--server URL).',
    )
  const { reindexCrawl } = await import('../fleet-crawl.ts')
  return reindexCrawl(config, invocation.given.crawl as string | undefined)
}

async function onServer(invocation: Invocation): Promise<Reindexed> {
  const { clientOf, crawlOn } = await import('../server-client.ts')
  const client = clientOf(invocation)!
  const crawl = await crawlOn(client, invocation)
  for await (const { pages } of await client.reindexCrawl({ params: { crawl } }))
    if (pages !== null) return { crawl, pages }
  throw new CrawlFailed('The server has ended before the index was built: its log tells why.')
}
