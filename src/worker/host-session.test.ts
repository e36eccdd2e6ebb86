import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../clock.ts'
import type { Exchange, FetchOutcome } from '../fetch/outcome.ts'
import type { CrawlRequest, Frontier, HostLease, HostReport } from '../frontier/frontier.ts'
import { politenessConfig } from '../politeness/config.ts'
import { settingsFor } from '../politeness/host-settings.ts'
import { initialPace } from '../politeness/pace.ts'
import { RobotsCache } from '../politeness/robots-cache.ts'
import type { RobotsStore } from '../politeness/robots-store.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { Alarms } from './alarms.ts'
import { ForeignTouches } from './foreign-touches.ts'
import { HostSession } from './host-session.ts'
import { LocalPageLimit } from './limits.ts'
import { Slots } from './slots.ts'
import { Sundries } from './sundries.ts'
import type { Touch, Visits } from './visit.ts'

const crawlDelayMs = 2000
const leaseMs = 60_000
const politeness = politenessConfig.parse({ delayMs: 0 })

test('a crawl-delay that a dead holder had learned is kept from the first touch on', async () => {
  const { touchedAt, reports } = await visit(2, 0)
  assert.ok(touchedAt[0]! >= crawlDelayMs, `touched after ${touchedAt[0]} ms`)
  assert.ok(touchedAt[1]! - touchedAt[0]! >= crawlDelayMs)
  assert.equal(reports[0]?.pace.gapMs, crawlDelayMs)
})

test('a crawl-delay that the lease knows of has been waited for already', async () => {
  const { touchedAt } = await visit(1, crawlDelayMs)
  assert.equal(touchedAt[0], 0)
})

test('the first page follows robots.txt after a quarter of the delay, and the next ones after the whole of it', async () => {
  const { touchedAt } = await visit(3, 0, { delayMs: 1000, asked: 'User-agent: *\nDisallow: /private\n' })
  assert.deepEqual(touchedAt, [251, 1252, 2253])
})

test('where robots.txt asks for a delay it counts as a touch like any other, however short the delay is', async () => {
  for (const asked of ['User-agent: *\nCrawl-delay: 0.5\n', 'User-agent: *\nCrawl-delay: 1\n']) {
    const { touchedAt } = await visit(2, 0, { delayMs: 1000, asked })
    assert.deepEqual(touchedAt, [1001, 2002])
  }
  const { touchedAt } = await visit(2, 0, { delayMs: 1000, asked: 'User-agent: *\nCrawl-delay: 3\n' })
  assert.deepEqual(touchedAt, [3001, 6002])
})

test('a lease is renewed when half of it is over, again and again, while a visit is under way', async () => {
  const { renewedAt } = await visit(1, crawlDelayMs, { visitMs: 100_000 })
  assert.deepEqual(renewedAt, [30_000, 60_000, 90_000])
})

test('a lease of which nothing is under way is not renewed, however long its host must be waited for', async () => {
  const { touchedAt, renewedAt } = await visit(3, 0, { delayMs: 20_000, asked: 'User-agent: *\nAllow: /\n' })
  assert.equal(touchedAt.length, 2)
  assert.deepEqual(renewedAt, [])
})

test('a request may go out until shortly before its lease ends, counted from when that was asked for last', async () => {
  const { touchedAt, sendBefore } = await visit(3, crawlDelayMs, { visitMs: 9000, leftMs: 16_000 })
  assert.deepEqual(touchedAt, [0, 9000])
  assert.deepEqual(sendBefore, [15_000, 67_000])
})

test('nothing is touched under a lease whose answer came when it was over', async () => {
  for (const leftMs of [0, -1, -100_000]) {
    const { touchedAt, renewedAt } = await visit(3, crawlDelayMs, { leftMs })
    assert.deepEqual([touchedAt, renewedAt], [[], []])
  }
})

test('after an answer that came late the lease is renewed in time again', async () => {
  const { renewedAt } = await visit(1, crawlDelayMs, { visitMs: 100_000, leftMs: 8000 })
  assert.deepEqual(renewedAt, [4000, 34_000, 64_000, 94_000])
})

test('where asking costs, a host is asked for more only if it gave all it was asked for, or has news', async () => {
  const rules = { asked: 'User-agent: *\nAllow: /\n' }
  const asked = async (urls: number, hasNews: boolean) =>
    (await visit(urls, 0, { ...rules, sparing: { hasNews } })).renewedAt
  assert.deepEqual(await asked(3, false), [])
  assert.equal((await asked(3, true)).length, 1)
  assert.equal((await asked(10, false)).length, 1)
})

/**
 * Visits some URLs of a host whose robots.txt was stored before, or is asked for; answers when, from the start of the
 * session on.
 */
async function visit(
  urls: number,
  knownGapMs: number,
  { delayMs = 0, visitMs = 0, leftMs = leaseMs, asked, sparing }: VisitOptions = {},
): Promise<{ touchedAt: number[]; sendBefore: number[]; renewedAt: number[]; reports: HostReport[] }> {
  const politeness = politenessConfig.parse({ delayMs })
  const clock = virtualClock()
  const now = clock.now()
  const touchedAt: number[] = []
  const sendBefore: number[] = []
  const renewedAt: number[] = []
  const reports: HostReport[] = []
  const idle = new AbortController().signal
  const session = new HostSession(
    { ...leaseOf(urls, knownGapMs, now), expiresAt: now + leftMs },
    {
      frontier: frontierFor(
        reports,
        (lease) => {
          renewedAt.push(clock.now() - now)
          return { ...lease, expiresAt: clock.now() + leaseMs, requests: [] }
        },
        sparing,
      ),
      visits: visitsNoting((touch) => {
        touchedAt.push(clock.now() - now)
        sendBefore.push(touch.sendBefore - now)
        return visitMs > 0 ? clock.sleep(visitMs) : undefined
      }),
      safe: async () => {},
      sundries: new Sundries(),
      robots: new RobotsCache({
        store:
          asked === undefined ? storeWith(`User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}\n`, now) : emptyStore,
        clock,
        config: politeness.robots,
        async fetchRobots(_url, { onSent }) {
          if (asked === undefined) assert.fail('the rules are known')
          onSent?.()
          return fetchedText(asked)
        },
      }),
      limit: new LocalPageLimit(0, 0),
      slots: new Slots(10),
      alarms: new Alarms(clock, idle),
      foreign: new ForeignTouches(clock),
      keyOf: () => 'a.test' as HostKey,
      clock,
      settingsFor: (hostname) => settingsFor(hostname, politeness),
      draining: idle,
      aborting: idle,
      mayExtend: () => sparing !== undefined,
      asksSparingly: sparing !== undefined,
      fail: (error) => assert.fail(error as Error),
    },
  )
  await session.run()
  return { touchedAt, sendBefore, renewedAt, reports }
}

interface VisitOptions {
  readonly delayMs?: number
  readonly visitMs?: number
  /** Of the lease, when its answer came. */
  readonly leftMs?: number
  readonly asked?: string
  /** More may be asked for, and costs. */
  readonly sparing?: { readonly hasNews: boolean }
}

/** Time that passes only when all wait for it: then it is at once the moment of whoever waits for the next one. */
function virtualClock(): Clock {
  let now = 1_700_000_000_000
  const waiting = new Map<() => void, number>()
  const pass = () => {
    const next = [...waiting].sort(([, a], [, b]) => a - b)[0]
    if (!next) return
    now = Math.max(now, next[1])
    next[0]()
  }
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake)
          resolve()
        }
        waiting.set(wake, now + ms)
        signal?.addEventListener('abort', wake)
        setImmediate(pass)
      }),
  }
}

function leaseOf(urls: number, gapMs: number, now: number): HostLease {
  const request = (n: number): CrawlRequest => ({
    ...{ url: `http://a.test/${n}` as CanonicalUrl, priority: 'high', depth: 0, parent: null },
    ...{ discoveredAt: now, redirects: 0, attempts: 0 },
  })
  return {
    ...{ host: 'a.test' as HostKey, generation: 1, expiresAt: now + leaseMs, waitMs: 0, quietMs: 0 },
    pace: { ...initialPace(settingsFor('a.test', politeness), null), gapMs },
    requests: Array.from({ length: urls }, (_, n) => request(n)),
  }
}

function frontierFor(
  reports: HostReport[],
  renewed: (lease: HostLease) => HostLease,
  { hasNews } = { hasNews: true },
): Frontier {
  return {
    hasNews: () => hasNews,
    renew: async (lease: HostLease) => renewed(lease),
    settle: async () => 'settled',
    async release(_lease: HostLease, report: HostReport) {
      reports.push(report)
      return 'released'
    },
  } as Partial<Frontier> as Frontier
}

function visitsNoting(note: (touch: Touch) => Promise<void> | undefined): Visits {
  return {
    async visit({ url }: CrawlRequest, touch: Touch) {
      await note(touch)
      touch.ended({ kind: 'ok', latencyMs: 1 })
      return { settled: { url, kind: 'done' }, release() {} }
    },
  }
}

const emptyStore: RobotsStore = { get: async () => undefined, put: async () => {}, async [Symbol.asyncDispose]() {} }

function fetchedText(text: string): FetchOutcome {
  const exchange = { status: 200, headers: [], body: Buffer.from(text), truncated: null } as Partial<Exchange>
  return { kind: 'fetched', exchange: exchange as Exchange }
}

function storeWith(text: string, now: number): RobotsStore {
  return {
    get: async () => ({ kind: 'rules', text, fetchedAt: now, expiresAt: now + 86_400_000 }),
    put: async () => {},
    async [Symbol.asyncDispose]() {},
  }
}
