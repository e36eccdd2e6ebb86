import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conduct } from './conduct.ts'
import { fetchCounts, type LogEntry, minGapMs } from './log.ts'

const host = { forbids: (path: string) => path === '/private', crawlDelayMs: 200 }

function entry(atMs: number, target: string, status = 200): LogEntry {
  const rest = {
    wallMs: 0,
    host: 'a.test',
    scheme: 'http',
    protocol: 'http/1.1',
    method: 'GET',
    userAgent: '',
    madeBy: 0,
  } as const
  return { ...rest, atMs, target, url: `http://a.test:80${target}`, status }
}

function watched(...visits: readonly (readonly [LogEntry, retryAfter?: string])[]) {
  const watch = conduct()
  for (const [visit, retryAfter] of visits) {
    watch.asked(host, visit.target, visit)
    watch.answered(visit.target, visit, retryAfter)
  }
  return {
    robots: watch.robotsViolations.map(({ reason }) => reason),
    rate: watch.rateViolations.map(({ reason }) => reason),
  }
}

test('a page before robots.txt, a page after its failure and a closed page are violations', () => {
  assert.deepEqual(watched([entry(0, '/')]).robots, ['robots-unknown'])
  assert.deepEqual(watched([entry(0, '/robots.txt', 500)], [entry(1, '/')]).robots, ['robots-unavailable'])
  assert.deepEqual(watched([entry(0, '/robots.txt')], [entry(1, '/private')]).robots, ['disallowed'])
})

test('robots.txt that is missing, or that failed after it was once known, opens the host', () => {
  assert.deepEqual(watched([entry(0, '/robots.txt', 404)], [entry(1, '/')]).robots, [])
  const later = watched([entry(0, '/robots.txt')], [entry(1, '/robots.txt', 500)], [entry(2, '/')])
  assert.deepEqual(later.robots, [])
})

test('pages closer than the crawl-delay are violations, a hair of jitter is not', () => {
  const robots = [entry(0, '/robots.txt')] as const
  assert.deepEqual(watched(robots, [entry(5, '/')], [entry(100, '/a')]).rate, ['crawl-delay'])
  assert.deepEqual(watched(robots, [entry(5, '/')], [entry(195, '/a')]).rate, [])
})

test('a request while the host asked for rest is a violation, one that was on its way is not', () => {
  const limited = [entry(1000, '/a', 429), '1'] as const
  const robots = [entry(0, '/robots.txt')] as const
  assert.deepEqual(watched(robots, limited, [entry(1500, '/b')]).rate, ['retry-after'])
  assert.deepEqual(watched(robots, limited, [entry(1050, '/robots.txt')]).rate, [])
  assert.deepEqual(watched(robots, limited, [entry(2001, '/b')]).rate, [])
})

test('gaps are counted start to start, fetches by canonical URL', () => {
  const entries = [entry(0, '/a?b=2&a=1'), entry(30, '/a?a=1&utm_source=x&b=2'), entry(40, '/c')]
  assert.equal(minGapMs(entries), 10)
  assert.equal(minGapMs([]), Number.POSITIVE_INFINITY)
  assert.deepEqual([...fetchCounts(entries).values()], [2, 1])
})

test('a server that was busy takes the request before for as early as it may have come', () => {
  let lagMs = 0
  const watch = conduct(() => lagMs)
  const host = { crawlDelayMs: 100 }
  const entry = (atMs: number) => ({ scheme: 'http', host: 'a.test', atMs, status: 200 }) as LogEntry
  watch.answered('/robots.txt', entry(0), undefined)
  lagMs = 50
  watch.asked(host, '/a', entry(1000))
  lagMs = 0
  watch.asked(host, '/b', entry(1060))
  assert.deepEqual(watch.rateViolations, [], 'it may have come at 950')
  watch.asked(host, '/c', entry(1120))
  assert.equal(watch.rateViolations.length, 1)
})
