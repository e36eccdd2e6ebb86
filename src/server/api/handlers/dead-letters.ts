import type { DeadFilter } from '../../../frontier/ledger.ts'
import { reasonClass } from '../../../orchestrator/reason-class.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { DeadReasons, DeadSelection } from '../schemas/dead-letter.ts'
import { crawlContext, urlIn } from './crawl-context.ts'

const mostCounted = 100_000

export const deadLetterHandlers: Handlers<
  'listDeadLetters' | 'listDeadReasons' | 'retryDeadLetters' | 'dropDeadLetters'
> = {
  async listDeadLetters(desk, { params, query: { limit, offset, ...filter } }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const { dead: total } = await reader.ledger.counts()
    const letters = []
    let skipped = 0
    for await (const entry of reader.ledger.dead(filterOf(filter), offset + limit + 1))
      if (skipped < offset) skipped++
      else letters.push({ ...entry, class: reasonClass(entry.reason) })
    return { total, letters: letters.slice(0, limit), more: letters.length > limit }
  },
  async listDeadReasons(desk, { params, query }) {
    const { reader } = await crawlContext(desk, params.crawl)
    const groups = new Map<string, DeadReasons['reasons'][number]>()
    let counted = 0
    for await (const { reason, url } of reader.ledger.dead(filterOf(query), mostCounted)) {
      counted++
      const name = reason ?? ''
      const group = groups.get(name) ?? { reason: name, class: reasonClass(name), count: 0, example: url }
      groups.set(name, { ...group, count: group.count + 1 })
    }
    return { reasons: [...groups.values()].sort((a, b) => b.count - a.count), complete: counted < mostCounted }
  },
  async retryDeadLetters(desk, { params, body }) {
    return { changed: await desk.operations.crawls.retryDead(params.crawl, await selected(desk, params.crawl, body)) }
  },
  async dropDeadLetters(desk, { params, body }) {
    return { changed: await desk.operations.crawls.dropDead(params.crawl, await selected(desk, params.crawl, body)) }
  },
}

function filterOf({ reason, host, pattern }: Pick<DeadSelection, 'reason' | 'host' | 'pattern'>): DeadFilter {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(host === undefined ? {} : { host: host as HostKey }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

async function selected(desk: Desk, crawl: string, { urls, ...selection }: DeadSelection): Promise<DeadFilter> {
  if (urls === undefined) return filterOf(selection)
  const { config } = await crawlContext(desk, crawl)
  return { ...filterOf(selection), urls: urls.map((text) => urlIn(config, text)) }
}
