import { UsageError } from '../../config/usage-error.ts'
import type { Command } from '../command.ts'
import { fleetOf } from '../open-crawl.ts'
import { counted } from '../units.ts'

export const reindex: Command = {
  name: 'reindex',
  usage: '--config FILE [--crawl NAME]',
  summary: "builds the search index of a fleet's crawl anew from its records, beside the crawl",
  details: 'Searches use the old index until the new one is whole. Safe to repeat after an interruption.',
  flags: {},
  async run(invocation) {
    const { given, json, terminal } = invocation
    const config = fleetOf(invocation)
    if (!config) throw new UsageError('`reindex` is for fleets, whose engines the settings name (--config FILE).')
    const { reindexCrawl } = await import('../fleet-crawl.ts')
    const { crawl, pages } = await reindexCrawl(config, given.crawl as string | undefined)
    if (json) terminal.print(JSON.stringify({ crawl, pages }))
    else terminal.print(`${counted(pages, 'page')} of ${crawl} searchable anew.`)
    return 0
  },
}
