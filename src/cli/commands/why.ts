import { UsageError } from '../../config/usage-error.ts'
import { type LifeEvent, lifeOf } from '../../orchestrator/url-life.ts'
import type { Command, Invocation } from '../command.ts'
import { configOf, openCrawlOf, pageUrl } from '../open-crawl.ts'
import { bold, dim, table } from '../terminal.ts'
import { safe } from '../units.ts'

export const why: Command = {
  name: 'why',
  usage: 'URL',
  takesWords: 1,
  summary: 'the life of a URL: who found it, what was decided, each visit, what comes next',
  details:
    'With --json: {"url","state","events":[{"at","kind","detail"}]}. A URL that the crawl never met is judged by its rules.',
  flags: {},
  async run(invocation) {
    const { json, terminal } = invocation
    const { url, state, life } =
      invocation.given.server === undefined ? await lifeHere(invocation) : await lifeOn(invocation)
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

interface Told {
  readonly url: string
  readonly state: string
  readonly life: readonly LifeEvent[]
}

async function lifeHere(invocation: Invocation): Promise<Told> {
  await using reader = await openCrawlOf(invocation)
  const config = configOf(reader)
  const url = pageUrl(config, invocation.args, usage)
  const { entry, events } = await lifeOf(reader, config, url)
  return { url, state: entry?.state ?? 'unknown', life: events }
}

/** A server knows all seeds and settings, and so what would become of a URL that the crawl never met. */
async function lifeOn(invocation: Invocation): Promise<Told> {
  const { clientOf, crawlOn } = await import('../server-client.ts')
  const [url] = invocation.args
  if (!url) throw new UsageError(`Name a URL: ${usage}`)
  const client = clientOf(invocation)!
  const crawl = await crawlOn(client, invocation)
  const { events, ...told } = await client.explainUrl({ params: { crawl }, query: { url } })
  return { ...told, life: events }
}

const usage = 'orbweaver why URL'
const moment = (at: number | null) => (at === null ? '' : new Date(at).toISOString().replace('T', ' ').slice(0, 19))
