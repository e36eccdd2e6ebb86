import { showBytes, showDuration } from '../cli/units.ts'
import type { Config } from '../config/schema.ts'
import type { CrawlReader } from '../crawl-reader.ts'
import type { HostEntry, UrlEntry } from '../frontier/ledger.ts'
import { robotsSaying } from '../politeness/robots-saying.ts'
import type { NextVisit, UrlRecord, VisitEntry } from '../store/url-record.ts'
import { canonicalRules } from '../url/canonical.ts'
import { type CanonicalUrl, originOf } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { trapIn } from '../url/traps.ts'
import { canonicalSeeds } from '../worker/seeds.ts'

export interface LifeEvent {
  readonly at: number | null
  readonly kind: string
  readonly detail: string
}

export interface UrlLife {
  /** `undefined`: the crawl never met it. */
  readonly entry: UrlEntry | undefined
  readonly record: UrlRecord | undefined
  readonly events: readonly LifeEvent[]
}

/** The life of a URL: who found it, what was decided, each visit, what comes next. One never met is judged by the rules. */
export async function lifeOf(reader: CrawlReader, config: Config, url: CanonicalUrl): Promise<UrlLife> {
  const entry = await reader.ledger.lookup(url)
  if (!entry) return { entry, record: undefined, events: [unknownEvent(reader, config, url)] }
  const record = await reader.records.get(url)
  const list = await listOf(reader, entry.parent ?? record?.parent ?? null)
  const [found, ...later] = events(entry, await reader.records.visits(url), record, list)
  const wait = entry.state === 'queued' ? hostEvents(await reader.ledger.host(entry.host)) : []
  return { entry, record, events: [found!, ...(await robotsEvents(reader, url)), ...later, ...wait] }
}

/** Whether a URL's parent is a list of URLs, by what its last visit brought; empty: it is a page. */
async function listOf({ records }: CrawlReader, parent: CanonicalUrl | null): Promise<string> {
  const brought = parent === null ? '' : ((await records.visits(parent)).at(-1)?.detail ?? '')
  return /^(sitemap|feed): /.exec(brought)?.[1] ?? ''
}

/** Why a URL that is queued may have to wait for long. */
function hostEvents(host: HostEntry | undefined): LifeEvent[] {
  const sunk = 'near-duplicates: nearly all new pages of its host are copies, so that it is served last'
  return [
    ...(host?.hold ? [{ at: host.nextTouchAt, kind: 'host', detail: `left alone until then: ${host.hold}` }] : []),
    ...(host?.sunk ? [{ at: null, kind: 'host', detail: sunk }] : []),
  ]
}

/** The verdict by the file as it is now: none where nobody has asked for it. */
async function robotsEvents({ robots }: CrawlReader, url: CanonicalUrl): Promise<LifeEvent[]> {
  const entry = await robots.get(originOf(url))
  return entry ? [{ at: entry.fetchedAt, kind: 'robots', detail: robotsSaying(entry, url) }] : []
}

function unknownEvent({ orders, widened }: CrawlReader, config: Config, url: CanonicalUrl): LifeEvent {
  const seeds = canonicalSeeds(orders.seeds, canonicalRules(config.url))
  const scope = makeScope({ ...config.url, seeds })
  widened.each((host) => scope.widen(host))
  const verdict = scope.judge(url) ?? trapVerdict(trapIn(url, Date.now(), config.url.traps))
  return judged(verdict, config.limits.maxDepth)
}

const trapVerdict = (reason: string | undefined) => (reason ? { reason, detail: 'a rule against traps' } : undefined)

function judged(verdict: { reason: string; detail: string } | undefined, maxDepth: number | null): LifeEvent {
  if (!verdict) {
    const within = maxDepth === null ? '' : ` if found within ${maxDepth} links of a seed`
    return { at: null, kind: 'unknown', detail: `never met; it would be admitted${within}` }
  }
  return { at: null, kind: 'refused', detail: `it would be refused: ${verdict.reason} (${verdict.detail})` }
}

function events(
  entry: UrlEntry,
  visits: readonly VisitEntry[],
  record: UrlRecord | undefined,
  listName: string,
): LifeEvent[] {
  const list: LifeEvent[] = [foundEvent(entry, record, listName), ...visits.map(visitEvent)]
  if (record?.noindex) list.push({ at: record.fetchedAt, kind: 'noindex', detail: 'it asks not to be searched' })
  if (record?.duplicateOf) list.push({ at: record.fetchedAt, kind: 'duplicate', detail: `of ${record.duplicateOf}` })
  if (record?.nearDuplicateOf)
    list.push({ at: record.fetchedAt, kind: 'near-duplicate', detail: `of ${record.nearDuplicateOf}` })
  if (record?.warc)
    list.push({ at: record.fetchedAt, kind: 'archived', detail: `${record.warc.file} at ${record.warc.offset}` })
  list.push(...ending(entry))
  if (record?.next && entry.state !== 'excluded') list.push(dueEvent(record.next))
  return list
}

const shown: Readonly<Record<NextVisit['because'], string>> = {
  first: 'it was new',
  changed: 'it had changed',
  unchanged: 'it had not changed',
  gone: 'it was gone',
}

function dueEvent({ dueAt, intervalMs, because, timesGone }: NextVisit): LifeEvent {
  if (dueAt === null) return { at: null, kind: 'due', detail: `never again: gone at ${timesGone} visits in a row` }
  return { at: dueAt, kind: 'due', detail: `again ${showDuration(intervalMs)} after the last visit: ${shown[because]}` }
}

/** A fleet's frontier forgets how it came to know a URL when that is visited; the record tells. */
function foundEvent(entry: UrlEntry, record: UrlRecord | undefined, listName: string): LifeEvent {
  const isForgotten = entry.discoveredAt === 0
  if (isForgotten && !record) return { at: null, kind: 'fetched', detail: 'waits to be parsed' }
  const { parent, depth } = (isForgotten && record) || entry
  const place = listName === '' ? 'on' : `in the ${listName}`
  const by = parent ? `${place} ${parent}` : 'as a seed'
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
