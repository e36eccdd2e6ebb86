import type { Command } from '../command.ts'
import { openCrawlOf } from '../open-crawl.ts'
import { dim, table } from '../terminal.ts'
import { readCount, showDuration } from '../units.ts'

export const hosts: Command = {
  name: 'hosts',
  usage: '[--limit N]',
  summary: 'the hosts of a crawl: pace, queue, what became of their URLs',
  flags: { limit: { type: 'string', value: 'N', help: 'show so many, those with the most URLs first (50)' } },
  async run(invocation) {
    const { json, given, terminal } = invocation
    await using reader = await openCrawlOf(invocation)
    const entries = await reader.ledger.hosts(readCount('limit')((given.limit as string | undefined) ?? '50'))
    if (json) {
      for (const entry of entries) terminal.print(JSON.stringify(entry))
      return 0
    }
    const head = ['host', 'queued', 'done', 'excluded', 'failed', 'pace', 'held back'].map(dim)
    const rows = entries.map(({ host, counts, gapMs, hold, sunk }) => [
      ...[host, counts.queued, counts.done, counts.excluded, counts.dead],
      ...[
        gapMs === 0 ? 'no delay' : `1 per ${showDuration(gapMs)}`,
        [hold, sunk ? 'mostly copies' : ''].filter(Boolean).join(', '),
      ],
    ])
    for (const line of table([head, ...rows])) terminal.print(line)
    return 0
  },
}
