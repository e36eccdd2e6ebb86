import { alertRules } from '../../src/monitor/alert-rules.ts'
import type { Alert } from '../../src/server/api/schemas/alert.ts'
import type { Crawl } from '../../src/server/api/schemas/crawl.ts'
import type { DeadLetter } from '../../src/server/api/schemas/dead-letter.ts'
import type { Host } from '../../src/server/api/schemas/host.ts'
import type { Snapshot, Vitals } from '../../src/server/api/schemas/overview.ts'
import type { PageAnswer } from '../../src/server/api/schemas/page.ts'
import type { Worker } from '../../src/server/api/schemas/worker.ts'
import type { Question, Stage } from './staged-server.ts'

/** A fleet at work, as one would like to have it in a test: large, busy, with something wrong in each corner. */

const start = Date.now()
const hostCount = 1_000_000

/** A smooth line that never repeats exactly; the same at the same moment. */
const wave = (at: number, slow: number, phase: number) =>
  (Math.sin(at / slow + phase) + Math.sin(at / (slow * 0.37) + 2 * phase) / 2) / 1.5

const errorKinds = ['status-503', 'timeout', 'dns-not-found', 'refused', 'status-404', 'tls-invalid']

const errorsAt = (at: number) =>
  Object.fromEntries(errorKinds.map((kind, i) => [kind, Math.round((900 / (i + 1)) * (1 + wave(at, 300_000, i) / 3))]))

/** Rates have four digits, as the server tells them; what is counted is whole. */
const brief = (value: number) => (value > 10_000 ? Math.round(value) : Number(value.toPrecision(4)))

function vitalsAt(at: number): Vitals {
  const pagesPerSecond = 640 + 120 * wave(at, 240_000, 1)
  const sinceStart = (at - start) / 1000
  const queued = 8_400_000 + 900 * sinceStart
  const high = 220_000 + 20_000 * wave(at, 300_000, 2)
  const medium = 2_400_000 + 150 * sinceStart
  const vitals = {
    at,
    pagesPerSecond,
    requestsPerSecond: pagesPerSecond * 1.12,
    bytesPerSecond: pagesPerSecond * 31_000,
    queued,
    leased: 4200,
    dead: 5231,
    carried: 310_000,
    high,
    medium,
    low: queued + 4200 + 310_000 - high - medium,
    duplicateRate: 0.13 + 0.06 * wave(at, 500_000, 3),
    fetchSuccess: 0.93 + 0.02 * wave(at, 200_000, 4),
    parseSuccess: 0.991 + 0.004 * wave(at, 150_000, 5),
    storageLagMs: 1600 + 500 * wave(at, 90_000, 6),
    errorsPerSecond: 42 + 12 * wave(at, 200_000, 4),
    errors: errorsAt(at),
    workers: 7,
    cpuShare: 5.2 + 0.8 * wave(at, 240_000, 1),
    memoryBytes: 7 * 410 * 2 ** 20,
  }
  const told = Object.entries(vitals).map(([name, value]) => [name, typeof value === 'number' ? brief(value) : value])
  return Object.fromEntries(told) as typeof vitals
}

const workers: readonly Worker[] = Array.from({ length: 8 }, (_, i) => ({
  id: `worker-${String(i + 1).padStart(2, '0')}`,
  role: i < 6 ? 'all' : 'parse',
  host: `node-${(i % 3) + 1}`,
  pid: 4200 + i,
  region: i % 2 === 0 ? 'eu-central' : 'us-east',
  version: '0.1.0',
  startedAt: start - 7_400_000,
  alive: i !== 7,
  silentMs: i === 7 ? 48_000 : 400,
  cpuShare: i === 7 ? null : 0.62 + 0.05 * i,
  memoryBytes: (380 + 13 * i) * 2 ** 20,
  bytesPerSecond: i === 7 ? null : 2_900_000 + 90_000 * i,
  pagesPerSecond: i === 7 ? null : 91 - i,
  pages: 612_000 - 7000 * i,
  openHosts: 400 - 3 * i,
  storageLagMs: i === 7 ? null : 1400 + 100 * i,
  crawls: i % 2 === 0 ? ['news-2026', 'universities'] : ['news-2026'],
}))

const counts = { admitted: 14_702_118, queued: 8_412_300, leased: 4200, done: 5_911_004, excluded: 369_383, dead: 5231 }

export function stagedSnapshot(at = Date.now()): Snapshot {
  return {
    ...vitalsAt(at),
    crawls: [
      {
        ...{ id: 'news-2026', state: 'running', pages: 5_402_118, counts },
        ...{ pagesPerSecond: 540.3, openHosts: 2210, timeLeftMs: 15_600_000 },
      },
      {
        ...{ id: 'universities', state: 'paused', pages: 88_120 },
        counts: { admitted: 91_002, queued: 1200, leased: 0, done: 89_100, excluded: 640, dead: 62 },
        ...{ pagesPerSecond: 0, openHosts: 0, timeLeftMs: null },
      },
    ],
    workerList: [...workers],
    alertsFiring: 1,
    fault: null,
  }
}

const crawl = (id: string): Crawl => ({
  id,
  state: 'running',
  detail: '',
  seedCount: 2,
  createdAt: start - 7_400_000,
  changedAt: start - 7_400_000,
  seeds: ['https://news.example/', 'https://example.org/'],
  settings: { limits: { maxPages: 10_000_000 }, url: { scope: 'domain' } },
  limits: { maxPages: 10_000_000, maxDurationMs: 0 },
  delayMs: 1000,
  counts,
  outlook: null,
  tally: {
    ...{ pages: 5_402_118, duplicates: 301_044, nearDuplicates: 400_713, redirects: 412_903, others: 95_983 },
    ...{ failures: 210_450, requests: 6_121_454, bytes: 187_302_118_220, revisits: 0, unchanged: 0 },
    refused: { 'out-of-scope': 31_204_118, 'excluded-by-pattern': 200_340, calendar: 18_204, 'path-loop': 2044 },
    found: { sitemap: 1_204_300, feed: 12_040 },
    errors: { 'http-503': 81_200, timeout: 60_400, 'dns-not-found': 31_100, 'connection-refused': 20_800 },
  },
  openHosts: 2210,
  pagesPerSecond: 540.3,
  timeLeftMs: 15_600_000,
})

function robotsAt(rank: number): Host['robots'] {
  const times = { fetchedAt: start - 3_600_000, expiresAt: start + 82_800_000 }
  if (rank % 13 === 5) return { ...times, state: 'unavailable', detail: 'timeout' }
  return rank % 5 === 1
    ? { ...times, state: 'none', detail: 'status 404' }
    : { ...times, state: 'rules', detail: '812 characters' }
}

const hostAt = (rank: number): Host => {
  const done = Math.max(3, Math.round(180_000 / (rank + 3)))
  const queued = (rank * 37) % 900
  const dead = rank % 7 === 0 ? 12 : 0
  return {
    host: `${['www', 'news', 'blog', 'shop'][rank % 4]}.site-${String(rank).padStart(7, '0')}.example`,
    counts: { admitted: done + queued + dead + 5, queued, leased: rank % 3, done, excluded: 5, dead },
    gapMs: [1000, 250, 5000, 0][rank % 4]!,
    nextTouchAt: Date.now() + (rank % 11) * 700,
    hold: rank % 9 === 4 ? 'retry-after' : rank % 13 === 5 ? 'robots-unavailable' : null,
    sunk: rank % 17 === 3,
    robots: robotsAt(rank),
    setting: rank === 2 ? { block: true, note: 'asked by its owner' } : rank === 6 ? { pause: true } : {},
  }
}

function hosts({ query }: Question) {
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? 50)
  const search = query.get('search') ?? ''
  if (search !== '') {
    const found = Array.from({ length: 2000 }, (_, rank) => hostAt(rank)).filter(({ host }) => host.includes(search))
    return { total: found.length, hosts: found.slice(offset, offset + limit), ageMs: 0 }
  }
  return { total: hostCount, hosts: Array.from({ length: limit }, (_, i) => hostAt(offset + i)), ageMs: 24_000 }
}

const values: Readonly<Record<string, number>> = {
  ...{ 'throughput-low': 642, 'frontier-large': 8_416_500, 'duplicates-many': 0.21, 'fetch-failing': 0.93 },
  ...{ 'parse-failing': 0.991, 'backlog-old': 4200, 'storage-slow': 1600, 'worker-lost': 1, 'disk-full': 0.42 },
  'error-budget': 0.61,
}

const unusual: Readonly<Record<string, Partial<Alert>>> = {
  'worker-lost': { state: 'firing', since: start - 42_000 },
  'duplicates-many': { state: 'pending', since: start - 95_000 },
  'throughput-low': { silencedUntil: start + 3_600_000 },
}

/** The real rules, over the figures of the stage; what is wrong comes first. */
const alerts: Alert[] = alertRules
  .map(({ id, title, severity, threshold, advice: detail }) => ({
    ...{ id, title, severity, threshold, detail, value: values[id] ?? null },
    ...{ state: 'ok' as const, since: null, action: '', silencedUntil: null },
    ...unusual[id],
  }))
  .sort((one, other) => Number(other.state === 'firing') - Number(one.state === 'firing'))

const session = { name: 'loopback', role: 'admin', kind: 'fleet', version: '0.1.0' } as const

const url = 'https://news.example/a'
const title = 'About orbs'

const page: PageAnswer = {
  ...{ url, finalUrl: url, kind: 'page', status: 200, contentType: 'text/html; charset=utf-8', title },
  ...{
    description: 'What weavers do',
    keywords: ['orb', 'web'],
    lang: 'en',
    canonical: url,
    publishedAt: '2026-07-01',
  },
  ...{ noindex: false, textLength: 1200, linkCount: 2, contentHash: '5f1c0e77'.repeat(8), simhash: '9ad3c41e00b7f265' },
  ...{ duplicateOf: null, nearDuplicateOf: 'https://news.example/b', depth: 2, parent: 'https://news.example/' },
  fetchedAt: start - 50_000,
  warc: { file: '2026-11-15/orbweaver-000001.warc.gz', offset: 81_332, length: 9120 },
  visits: [
    { at: start - 90_000, kind: 'failed', status: 503, durationMs: 240, bytes: 0, detail: 'http-503' },
    { at: start - 50_000, kind: 'page', status: 200, durationMs: 182, bytes: 9120, detail: '' },
  ],
}

const letter = (i: number): DeadLetter => ({
  ...{ url: `https://news.example/gone/${i}`, host: 'news.example', state: 'dead', band: 'medium', depth: 3 },
  ...{ parent: url, discoveredAt: start - 900_000, redirects: 0, attempts: 4, dueAt: null },
  ...(i % 3 === 0 ? { reason: 'dns-not-found', class: 'dns' } : { reason: 'timeout', class: 'network' }),
})

export const stagedFleet: Stage = {
  getSession: () => session,
  getOverview: () => {
    const now = Date.now()
    const history = Array.from({ length: 720 }, (_, i) => vitalsAt(now - (720 - i) * 5000))
    return { kind: 'fleet', version: '0.1.0', now: stagedSnapshot(now), stepMs: 5000, history }
  },
  listCrawls: () => ({
    crawls: [
      { ...summary('news-2026'), state: 'running' },
      { ...summary('universities'), state: 'paused', detail: 'Paused by ada.' },
      { ...summary('docs-mirror'), state: 'finished', detail: 'All URLs were visited.' },
    ],
  }),
  getCrawl: ({ params }) => crawl(params.crawl!),
  listHosts: hosts,
  setHost: ({ params, body }) => ({ host: params.pattern!, setting: body as Host['setting'] }),
  search: () => ({
    hits: [
      { url, title, score: 3, excerpt: 'An \u0002orb\u0003 weaver builds a web of threads.' },
      { url: 'https://news.example/b', title: '', score: 2, excerpt: 'Each \u0002orb\u0003 is made anew.' },
    ],
    more: false,
  }),
  explainUrl: () => ({
    ...{ url, state: 'done', hasPage: true },
    entry: { ...letter(1), url, state: 'done', depth: 2, parent: 'https://news.example/' },
    events: [
      { at: start - 900_000, kind: 'found', detail: 'on https://news.example/, depth 2, priority medium' },
      { at: start - 90_000, kind: 'failed', detail: '503, 0 B in 240 ms, http-503' },
      { at: start - 50_000, kind: 'page', detail: '200, 8.9 KB in 182 ms' },
      { at: start - 50_000, kind: 'archived', detail: '2026-11-15/orbweaver-000001.warc.gz at 81332' },
    ],
  }),
  previewScope: () => ({
    ...{
      page: 'https://news.example/',
      status: 200,
      title: 'News',
      taken: 3,
      refused: { 'out-of-scope': 2, calendar: 1 },
    },
    links: [
      { url: 'https://news.example/today', taken: true, reason: null, detail: null },
      { url: 'https://news.example/a', taken: true, reason: null, detail: null },
      { url: 'https://ads.example/', taken: false, reason: 'out-of-scope', detail: 'ads.example is no host of a seed' },
      { url: 'https://news.example/archive', taken: true, reason: null, detail: null },
      {
        url: 'https://news.example/calendar/2391/04',
        taken: false,
        reason: 'calendar',
        detail: 'a rule against traps',
      },
      {
        url: 'https://social.example/news',
        taken: false,
        reason: 'out-of-scope',
        detail: 'social.example is no host of a seed',
      },
    ],
  }),
  getPage: () => page,
  getPageText: () => 'An orb weaver builds its web anew each evening.\n\nThe spiral has some twenty turns.',
  getPageMarkdown: () => '# About orbs\n\nAn orb weaver builds…',
  getPageRaw: () => '<!doctype html><title>About orbs</title><script>document.title = "taken"</script>',
  getPageHeaders: () => ({
    status: 200,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-encoding', 'gzip'],
      ['etag', '"9120-5f1c"'],
      ['last-modified', 'Wed, 01 Jul 2026 08:00:00 GMT'],
    ],
  }),
  getPageLinks: ({ query }) => ({
    total: 2,
    links: [
      { url: `${url}/${query.get('direction')}/1`, state: 'done' },
      { url: `${url}/${query.get('direction')}/2`, state: 'queued' },
    ],
  }),
  listDeadReasons: () => ({
    reasons: [
      { reason: 'timeout', class: 'network', count: 3488, example: letter(1).url },
      { reason: 'dns-not-found', class: 'dns', count: 1743, example: letter(3).url },
    ],
    complete: true,
  }),
  listDeadLetters: () => ({ total: 5231, letters: Array.from({ length: 20 }, (_, i) => letter(i)), more: true }),
  retryDeadLetters: () => ({ changed: 5231 }),
  listWorkers: () => ({ workers: [...workers] }),
  listAlerts: () => ({ alerts }),
  silenceAlert: ({ params }) => alerts.find(({ id }) => id === params.alert)!,
  getConfiguration: () => ({
    settings: [
      { name: 'limits.maxPages', value: 0, isDefault: true, help: 'Stop after so many pages. 0: no limit.' },
      { name: 'politeness.delayMs', value: 2000, isDefault: false, help: 'Time between two requests to a host.' },
      { name: 'fleet.redis.password', value: '••••', isDefault: false, help: 'Password of Redis.' },
    ],
  }),
  listAudit: () => ({
    entries: [
      {
        ...{ at: start - 60_000, who: 'ada', role: 'operator', from: '127.0.0.1' },
        ...{ action: 'pauseCrawl', target: 'universities', status: 200 },
      },
    ],
  }),
}

function summary(id: string) {
  const { seeds: _seeds, settings: _settings, limits: _limits, delayMs: _delay, counts: _counts, ...rest } = crawl(id)
  const { tally: _tally, openHosts: _hosts, pagesPerSecond: _rate, timeLeftMs: _left, ...kept } = rest
  return kept
}
