import { lifeOf } from '../../orchestrator/url-life.ts'
import type { Command } from '../command.ts'
import { configOf, openCrawlOf, pageUrl } from '../open-crawl.ts'
import { bold, dim, table } from '../terminal.ts'
import { safe } from '../units.ts'

export const why: Command = {
  name: 'why',
  usage: 'URL',
  summary: 'the life of a URL: who found it, what was decided, each visit, what comes next',
  details:
    'With --json: {"url","state","events":[{"at","kind","detail"}]}. A URL that the crawl never met is judged by its rules.',
  flags: {},
  async run(invocation) {
    const { args, json, terminal } = invocation
    await using reader = await openCrawlOf(invocation)
    const config = configOf(reader)
    const url = pageUrl(config, args, 'orbweaver why URL')
    const { entry, events: life } = await lifeOf(reader, config, url)
    const state = entry?.state ?? 'unknown'
    if (json) {
      terminal.print(JSON.stringify({ url, state, events: life }))
      return 0
    }
    terminal.print(bold(`${url}: ${state}`))
    for (const line of table(life.map(({ at, kind, detail }) => [dim(moment(at)), kind, safe(detail)])))
      terminal.print(`  ${line}`)
    return 0
  },
}

const moment = (at: number | null) => (at === null ? '' : new Date(at).toISOString().replace('T', ' ').slice(0, 19))
