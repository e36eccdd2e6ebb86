import { tallyOf } from '../../worker/tally.ts'
import type { Command } from '../command.ts'
import { openCrawlOf } from '../open-crawl.ts'
import { bold, table } from '../terminal.ts'
import { showBytes, showCount } from '../units.ts'

export const status: Command = {
  name: 'status',
  usage: '',
  summary: 'what a crawl has done and what is left',
  flags: {},
  async run(invocation) {
    const { json, terminal } = invocation
    await using reader = await openCrawlOf(invocation)
    const tally = tallyOf(await reader.ledger.sums())
    const counts = await reader.ledger.counts()
    const state = await reader.state()
    if (json) {
      const { seeds, createdAt } = reader.orders
      terminal.print(JSON.stringify({ state, seeds, createdAt, ...tally, frontier: counts }))
      return 0
    }
    terminal.print(bold(`${reader.orders.seeds.slice(0, 3).join(', ')}: ${state}`))
    const rows: [string, number | string, string][] = [
      ['pages', tally.pages, `${showBytes(tally.bytes)} in ${showCount(tally.requests)} requests`],
      ['queued', counts.queued, ''],
      ['done', counts.done, `of ${showCount(counts.admitted)} URLs admitted`],
      ['excluded', counts.excluded, ''],
      ['failed', counts.dead, top(tally.errors)],
      ['copies', tally.duplicates + tally.nearDuplicates, ''],
      ['refused', sum(tally.refused), top(tally.refused)],
    ]
    for (const line of table(rows.map(([name, n, rest]) => [`  ${name}`, n, rest]))) terminal.print(line)
    return 0
  },
}

const sum = (counters: Record<string, number>) => Object.values(counters).reduce((a, b) => a + b, 0)

function top(counters: Record<string, number>): string {
  const entries = Object.entries(counters).sort(([, a], [, b]) => b - a)
  return entries
    .slice(0, 5)
    .map(([name, n]) => `${name} ${showCount(n)}`)
    .join(', ')
}
