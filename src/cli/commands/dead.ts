import { UsageError } from '../../config/usage-error.ts'
import type { DeadFilter, Ledger } from '../../frontier/ledger.ts'
import type { HostKey } from '../../url/keys.ts'
import type { Command, Given, Invocation } from '../command.ts'
import { openCrawlOf } from '../open-crawl.ts'
import { dim, table } from '../terminal.ts'
import { counted, readCount, safe } from '../units.ts'
import { whereFlags } from '../where-flags.ts'

const actions = ['list', 'show', 'retry', 'drop'] as const

export const dead: Command = {
  name: 'dead',
  usage: 'list|show|retry|drop [filters]',
  takesWords: 2,
  summary: 'dead letters: URLs that were given up, by reason, host or pattern',
  details: `
Without a filter all are meant.

  orbweaver dead list                         how many, by reason
  orbweaver dead show --reason reset          each of them
  orbweaver dead retry --host example.com     queue them again; then: orbweaver resume
  orbweaver dead drop --pattern '*/old/*'     exclude them for good`,
  flags: {
    reason: { type: 'string', value: 'REASON', help: 'only those given up for this reason' },
    host: { type: 'string', value: 'HOST', help: 'only those of this host' },
    pattern: { type: 'string', value: 'PATTERN', help: 'only URLs that fit (* is any text)' },
    limit: { type: 'string', value: 'N', help: 'show so many (100)' },
  },
  async run(invocation) {
    const { args, given, json, terminal } = invocation
    const action = (args[0] ?? 'list') as (typeof actions)[number]
    if (!actions.includes(action)) throw new UsageError(`\`dead\` takes ${actions.join(', ')}, not "${action}".`)
    const filter = filterFrom(given, args[1])
    await using reader = await openCrawlOf(invocation, action === 'list' || action === 'show' ? 'shared' : 'exclusive')
    const { ledger } = reader
    if (action === 'retry' || action === 'drop') {
      const changed = action === 'retry' ? await ledger.retryDead(filter) : await ledger.dropDead(filter)
      if (json) terminal.print(JSON.stringify({ action, changed }))
      else if (changed === 0) terminal.print(noneFits)
      else if (action === 'retry') terminal.print(`Queued again: ${counted(changed, 'URL')}. ${visitedBy(invocation)}`)
      else terminal.print(`Excluded for good: ${counted(changed, 'URL')}.`)
      return 0
    }
    if (action === 'show') {
      const limit = readCount('limit')((given.limit as string | undefined) ?? '100')
      let shown = 0
      for await (const entry of ledger.dead(filter, limit)) {
        const why = `${entry.reason}, ${entry.attempts === 1 ? '1 retry' : `${entry.attempts} retries`}`
        terminal.print(json ? JSON.stringify(entry) : `${safe(entry.url)}  ${dim(why)}`)
        shown++
      }
      if (shown === 0 && !json) terminal.print(noneFits)
      return 0
    }
    const groups = given.server === undefined ? await reasonsIn(ledger, filter) : await reasonsOn(invocation, filter)
    if (json) for (const group of groups) terminal.print(JSON.stringify(group))
    else if (groups.length === 0) terminal.print(noneFits)
    else
      for (const line of table(
        groups.map(({ reason, count, example }) => [count, reason, dim(`such as ${safe(example)}`)]),
      ))
        terminal.print(line)
    return 0
  },
}

const noneFits =
  'No dead letters, or none that fits. Hosts are written as `orbweaver hosts` shows them, with their port.'

/** Members of a fleet come for them by themselves while the crawl runs. */
function visitedBy(invocation: Invocation): string {
  return `\`orbweaver resume${whereFlags(invocation)}\` visits them.`
}

interface ReasonGroup {
  readonly reason: string
  readonly count: number
  readonly example: string
}

async function reasonsIn(ledger: Ledger, filter: DeadFilter): Promise<ReasonGroup[]> {
  const groups = new Map<string, ReasonGroup>()
  for await (const { reason: given, url } of ledger.dead(filter)) {
    const reason = given ?? ''
    const { count, example } = groups.get(reason) ?? { count: 0, example: url }
    groups.set(reason, { reason, count: count + 1, example })
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}

/** A server counts by itself, and need not send each of them. */
async function reasonsOn(invocation: Invocation, { urls: _urls, ...query }: DeadFilter): Promise<ReasonGroup[]> {
  const { clientOf, crawlOn } = await import('../server-client.ts')
  const client = clientOf(invocation)!
  const crawl = await crawlOn(client, invocation)
  const { reasons, complete } = await client.listDeadReasons({ params: { crawl }, query })
  if (!complete) invocation.terminal.note('There are more than the server looked at: these are of the first.')
  return reasons.map(({ reason, count, example }) => ({ reason, count, example }))
}

/** A URL behind the action means that one. */
function filterFrom({ reason, host, pattern = undefined }: Given, url: string | undefined): DeadFilter {
  return {
    ...(reason === undefined ? {} : { reason: String(reason) }),
    ...(host === undefined ? {} : { host: String(host) as HostKey }),
    ...(pattern === undefined && url === undefined ? {} : { pattern: String(pattern ?? url) }),
  }
}
