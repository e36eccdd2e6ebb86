import type { UrlEntry } from '../../frontier/ledger.ts'
import type { UrlRecord, VisitEntry } from '../../store/url-record.ts'
import { canonicalRules } from '../../url/canonical.ts'
import { makeScope } from '../../url/scope.ts'
import { trapIn } from '../../url/traps.ts'
import { canonicalSeeds } from '../../worker/seeds.ts'
import type { Command } from '../command.ts'
import { configOf, openCrawlOf, pageUrl } from '../open-crawl.ts'
import { bold, dim, table } from '../terminal.ts'
import { safe, showBytes, showDuration } from '../units.ts'

export interface LifeEvent {
  readonly at: number | null
  readonly kind: string
  readonly detail: string
}

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
    const entry = await reader.ledger.lookup(url)
    const record = await reader.records.get(url)
    const visits = await reader.records.visits(url)
    const unknown = () => {
      const seeds = canonicalSeeds(reader.orders.seeds, canonicalRules(config.url))
      const scope = makeScope({ ...config.url, seeds })
      reader.widened.each((host) => scope.widen(host))
      const verdict = scope.judge(url) ?? trapVerdict(trapIn(url, Date.now(), config.url.traps))
      return judged(verdict, config.limits.maxDepth)
    }
    const life = entry ? events(entry, visits, record) : [unknown()]
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

const trapVerdict = (reason: string | undefined) => (reason ? { reason, detail: 'a rule against traps' } : undefined)

function judged(verdict: { reason: string; detail: string } | undefined, maxDepth: number | null): LifeEvent {
  if (!verdict) {
    const within = maxDepth === null ? '' : ` if found within ${maxDepth} links of a seed`
    return { at: null, kind: 'unknown', detail: `never met; it would be admitted${within}` }
  }
  return { at: null, kind: 'refused', detail: `it would be refused: ${verdict.reason} (${verdict.detail})` }
}

function events(entry: UrlEntry, visits: readonly VisitEntry[], record: UrlRecord | undefined): LifeEvent[] {
  const list: LifeEvent[] = [foundEvent(entry, record), ...visits.map(visitEvent)]
  if (record?.duplicateOf) list.push({ at: record.fetchedAt, kind: 'duplicate', detail: `of ${record.duplicateOf}` })
  if (record?.nearDuplicateOf)
    list.push({ at: record.fetchedAt, kind: 'near-duplicate', detail: `of ${record.nearDuplicateOf}` })
  if (record?.warc)
    list.push({ at: record.fetchedAt, kind: 'archived', detail: `${record.warc.file} at ${record.warc.offset}` })
  list.push(...ending(entry))
  return list
}

/** A fleet's frontier forgets how it came to know a URL when that is visited; the record tells. */
function foundEvent(entry: UrlEntry, record: UrlRecord | undefined): LifeEvent {
  const isForgotten = entry.discoveredAt === 0 && record !== undefined
  const { parent, depth } = isForgotten ? record : entry
  const by = parent ? `on ${parent}` : 'as a seed'
  if (isForgotten) return { at: null, kind: 'found', detail: `${by}, depth ${depth}` }
  return { at: entry.discoveredAt, kind: 'found', detail: `${by}, depth ${depth}, priority ${entry.band}` }
}

function visitEvent({ at, kind, status, durationMs, bytes, detail }: VisitEntry): LifeEvent {
  const answer = status === null ? '' : `${status}, ${showBytes(bytes)} in ${showDuration(durationMs)}`
  const arrow = kind === 'redirect' ? '→ ' : ''
  return { at, kind, detail: [answer, detail && arrow + detail].filter(Boolean).join(', ') }
}

function ending({ state, reason, dueAt, attempts }: UrlEntry): LifeEvent[] {
  switch (state) {
    case 'excluded':
      return [{ at: null, kind: 'excluded', detail: reason ?? '' }]
    case 'dead':
      return [{ at: null, kind: 'dead', detail: `${reason}; \`orbweaver dead retry\` brings it back` }]
    case 'queued':
      return [
        {
          at: dueAt,
          kind: 'queued',
          detail: attempts > 0 ? `attempt ${attempts + 1}, after ${reason}` : 'waits for its turn',
        },
      ]
    default:
      return []
  }
}
