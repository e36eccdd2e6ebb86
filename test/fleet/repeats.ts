import type { RecordStore } from '../../src/store/record-store.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { canonicalUrl } from '../web/canonical.ts'
import type { LogEntry } from '../web/log.ts'
import type { MemberLife, Pause } from './member-life.ts'

/** A URL that the servers were asked for again. */
export interface Repeat {
  readonly url: string
  readonly first: LogEntry
  readonly again: LogEntry
}

/** A fault of the engine that holds leases and settlements, by wall time. */
export interface LeaseFault {
  readonly from: number
  readonly until: number
  /** What it was told in so many milliseconds before is gone. Left out: nothing. */
  readonly forgetsMs?: number
  /** Leases are among it: their holders go on for so long, and what they settle was never leased. Left out: none. */
  readonly leaseMs?: number
}

/** What is known of a crawl that has ended. */
export interface CrawlStory {
  /** Left out: nobody was killed, and nobody's log is known. */
  readonly members?: readonly MemberLife[]
  readonly faults?: readonly LeaseFault[]
  /** How long leases last. Left out: nobody stood still for long. */
  readonly leaseMs?: number
  readonly records: Pick<RecordStore, 'visits'>
}

export function repeatsIn(log: readonly LogEntry[]): Repeat[] {
  const last = new Map<string, LogEntry>()
  const repeats: Repeat[] = []
  for (const entry of log) {
    const url = canonicalUrl(entry.url)
    const first = last.get(url)
    last.set(url, entry)
    if (first) repeats.push({ url, first, again: entry })
  }
  return repeats
}

/**
 * Repeats that nothing explains, in words. There are five reasons to ask again: the server had answered that it cannot
 * now; the attempt had failed on its way, as the page's history says, or of a robots.txt the log of who made it; whoever
 * made it was killed; or stood still until its lease had ended; or the visit was under way when the engine that holds
 * leases failed, or its settlement is what that has forgotten.
 */
export async function causelessIn(repeats: readonly Repeat[], story: CrawlStory): Promise<string[]> {
  const { members = [], faults = [], leaseMs = Number.POSITIVE_INFINITY, records } = story
  const lives = new Map(members.map((member) => [member.pid, member]))
  const open = repeats.filter((repeat) => {
    const maker = lives.get(repeat.first.madeBy)
    if (asksAgain(repeat.first) || faults.some((one) => wasLostIn(one, repeat, maker))) return false
    return !maker || !(wasKilled(repeat, maker) || sleptPast(repeat, maker, leaseMs))
  })
  const causeless: string[] = []
  for (const [url, ofUrl] of Map.groupBy(open, (repeat) => repeat.url)) {
    const visits = await records.visits(url as CanonicalUrl)
    const failed = visits.filter(({ kind }) => kind === 'failed').length + robotsFailures(url, members)
    if (ofUrl.length > failed)
      causeless.push(...ofUrl.map((repeat) => inWords(repeat, lives.get(repeat.first.madeBy), failed)))
  }
  return causeless
}

/** 0: its answer was none. */
const asksAgain = ({ status }: LogEntry) => status === 0 || status === 429 || status >= 500

function wasKilled({ again }: Repeat, { killedAt }: MemberLife): boolean {
  return killedAt !== undefined && killedAt <= again.wallMs
}

/** A request of the last moment before a pause may reach its server within it. */
const onItsWayMs = 1000

/** HTTP/2 writes a request a turn after it was begun: a pause that falls in between holds it back to its own end. */
const writtenLaterMs = 100

function wasBegunBefore({ from, until }: Pause, { wallMs, protocol }: LogEntry): boolean {
  const wasHeldBack = protocol === 'h2' && wallMs >= until && wallMs <= until + writtenLaterMs
  return wallMs <= from + onItsWayMs || wasHeldBack
}

/** It was begun before the pause, and nobody had heard how it ended. A lease is renewed when half of it is over. */
function sleptPast({ url, first, again }: Repeat, maker: MemberLife, leaseMs: number): boolean {
  const outlasts = (pause: Pause) =>
    pause.until - pause.from > leaseMs / 2 && wasBegunBefore(pause, first) && again.wallMs >= pause.from
  const settledAt = maker.settledAt(url, first.wallMs) ?? Number.POSITIVE_INFINITY
  return maker.pauses.some(outlasts) && settledAt > again.wallMs
}

/** A server that stood still itself sees a request, and the next one after it was given up, at the same moment. */
function robotsFailures(url: string, members: readonly MemberLife[]): number {
  const { origin, pathname } = new URL(url)
  if (pathname !== '/robots.txt') return 0
  return members.reduce((sum, member) => sum + member.robotsFailures(origin), 0)
}

function wasLostIn(fault: LeaseFault, { url, first, again }: Repeat, maker: MemberLife | undefined): boolean {
  const { from, until, forgetsMs = 0, leaseMs = 0 } = fault
  const settledAt = maker?.settledAt(url, first.wallMs) ?? Number.POSITIVE_INFINITY
  return again.wallMs >= from && first.wallMs <= until + leaseMs && settledAt >= from - forgetsMs
}

function inWords({ url, first, again }: Repeat, maker: MemberLife | undefined, failed: number): string {
  const moment = (wallMs: number) => new Date(wallMs).toISOString().slice(11, 23)
  const settled = maker?.settlementsOf(url).map(({ at, answer }) => `${answer} at ${moment(at)}`) ?? []
  return [
    `${url} at ${moment(first.wallMs)} by ${first.madeBy} (${first.status})`,
    `and at ${moment(again.wallMs)} by ${again.madeBy}, with ${failed} failed visits`,
    ...settled,
  ].join(', ')
}
