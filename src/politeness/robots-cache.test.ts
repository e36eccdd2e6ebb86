import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../clock.ts'
import type { Exchange, FailureCode, FetchOutcome, Header } from '../fetch/outcome.ts'
import type { CanonicalUrl, Origin } from '../url/keys.ts'
import { type RobotsConfig, robotsConfig } from './config.ts'
import { verdict } from './robots.ts'
import { type RobotsAnswer, RobotsCache } from './robots-cache.ts'
import type { RobotsEntry, RobotsStore } from './robots-store.ts'

const SITE = 'https://site.test' as Origin
const FILE = 'User-agent: *\nDisallow: /private'
const DAY = 86_400_000

function exchange(
  status: number,
  body: string | Buffer = '',
  headers: Header[] = [],
  truncated: Exchange['truncated'] = null,
) {
  const bytes = Buffer.from(body)
  return {
    ...{
      url: '' as CanonicalUrl,
      method: 'GET',
      startedAt: 0,
      durationMs: 1,
      address: '127.0.0.1',
      protocol: 'http/1.1',
    },
    ...{ requestHeaders: [], status, statusText: '', headers, rawBody: bytes, body: bytes, truncated },
  } as const satisfies Exchange
}
const fetched = (...parts: Parameters<typeof exchange>): FetchOutcome => ({
  kind: 'fetched',
  exchange: exchange(...parts),
})
const redirected = (location: string): FetchOutcome => ({ kind: 'redirected', exchange: exchange(301), location })
const failed = (code: FailureCode): FetchOutcome => ({ kind: 'failed', code, detail: 'x', durationMs: 1 })

function memoryStore(entries = new Map<Origin, RobotsEntry>()): RobotsStore {
  return {
    get: async (origin) => entries.get(origin),
    put: async (origin, entry) => void entries.set(origin, entry),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** A cache whose web is a function, and whose time stands still until moved. */
function world(web: (url: string) => FetchOutcome, config: Partial<RobotsConfig> = {}, store = memoryStore()) {
  const touches: string[] = []
  const time = { now: 1_000_000 }
  const clock: Clock = { now: () => time.now, sleep: async () => undefined }
  const fetchRobots = async (url: string) => {
    touches.push(url)
    return web(url)
  }
  const cache = new RobotsCache({ store, clock, fetchRobots, config: { ...robotsConfig.parse({}), ...config } })
  return { cache, touches, time, store }
}

function allows(answer: RobotsAnswer, path: string): boolean {
  assert.equal(answer.kind, 'rules')
  return answer.kind === 'rules' && verdict(answer.rules, 'orbweaver', SITE + path).allowed
}

describe('robots cache', () => {
  test('rules are asked for once and kept for a day', async () => {
    const { cache, touches, time } = world(() => fetched(200, FILE))
    assert.equal(cache.peek(SITE), undefined)
    assert.equal(allows(await cache.rulesFor(SITE), '/private'), false)
    time.now += DAY - 1
    assert.equal(allows(await cache.rulesFor(SITE), '/open'), true)
    assert.equal(cache.peek(SITE)?.kind, 'rules')
    assert.deepEqual(touches, ['https://site.test/robots.txt'])
    time.now += 1
    assert.equal(cache.peek(SITE), undefined)
    await cache.rulesFor(SITE)
    assert.equal(touches.length, 2)
  })

  test('what one worker has asked another finds in the store', async () => {
    const store = memoryStore()
    await world(() => fetched(200, FILE), {}, store).cache.rulesFor(SITE)
    const other = world(() => assert.fail('touched'), {}, store)
    assert.equal(allows(await other.cache.rulesFor(SITE, async () => assert.fail('touched')), '/private'), false)
  })

  test('equal questions at the same time are one', async () => {
    const { cache, touches } = world(() => fetched(200, FILE))
    const answers = await Promise.all(Array.from({ length: 20 }, () => cache.rulesFor(SITE)))
    assert.equal(touches.length, 1)
    assert.ok(answers.every((answer) => !allows(answer, '/private')))
  })

  test('origins are asked apart', async () => {
    const { cache, touches } = world(() => fetched(200, FILE))
    await cache.rulesFor(SITE)
    await cache.rulesFor('http://site.test' as Origin)
    await cache.rulesFor('https://site.test:8443' as Origin)
    assert.equal(new Set(touches).size, 3)
  })

  test('a missing or forbidden file allows everything, for a day', async () => {
    for (const status of [400, 401, 403, 404, 410, 451, 304]) {
      const { cache, touches } = world(() => fetched(status, 'User-agent: *\nDisallow: /'))
      assert.equal(allows(await cache.rulesFor(SITE), '/private'), true, String(status))
      await cache.rulesFor(SITE)
      assert.equal(touches.length, 1)
    }
  })

  test('5xx, 429 and network errors allow nothing until they heal', async () => {
    const answers = [
      fetched(500),
      fetched(503),
      fetched(429),
      failed('dns-not-found'),
      failed('connect-refused'),
      failed('reset'),
    ]
    for (const bad of answers) {
      let outcome = bad
      const { cache, time } = world(() => outcome)
      const first = await cache.rulesFor(SITE)
      assert.equal(first.kind, 'unavailable')
      time.now += 1000
      outcome = fetched(200, FILE)
      assert.equal(allows(await cache.rulesFor(SITE), '/open'), true)
    }
  })

  test('rules that cannot be refreshed hold no longer than their day', async () => {
    let outcome = fetched(200, FILE)
    const { cache, time } = world(() => outcome)
    await cache.rulesFor(SITE)
    outcome = fetched(500)
    time.now += DAY
    assert.equal((await cache.rulesFor(SITE)).kind, 'unavailable')
  })

  test('an unavailable file is asked for again after 1, 2 and 4 seconds, then every five minutes, also across workers', async () => {
    const { touches, time, store, cache } = world(() => fetched(503))
    const waits: number[] = []
    for (let round = 0; round < 5; round++) {
      const answer = await cache.rulesFor(SITE)
      assert.equal(answer.kind, 'unavailable')
      if (answer.kind === 'unavailable') waits.push(answer.retryInMs)
      time.now += waits[round]! - 1
      const early = await cache.rulesFor(SITE)
      assert.deepEqual(early, { kind: 'unavailable', retryInMs: 1, code: null, detail: 'status 503' })
      time.now += 1
    }
    assert.deepEqual(waits, [1000, 2000, 4000, 300_000, 300_000])
    assert.equal(touches.length, 5)
    const other = world(() => fetched(503), {}, store)
    other.time.now = time.now
    assert.deepEqual(await other.cache.rulesFor(SITE), {
      kind: 'unavailable',
      retryInMs: 300_000,
      code: null,
      detail: 'status 503',
    })
  })

  test('failures are counted in a row', async () => {
    let outcome = fetched(500)
    const { cache, time } = world(() => outcome, { lifetimeMs: 10 })
    await cache.rulesFor(SITE)
    time.now += 1000
    outcome = fetched(200, FILE)
    await cache.rulesFor(SITE)
    time.now += 10
    outcome = fetched(500)
    assert.deepEqual(await cache.rulesFor(SITE), {
      kind: 'unavailable',
      retryInMs: 1000,
      code: null,
      detail: 'status 500',
    })
  })

  test('Retry-After can prolong the wait, not shorten it', async () => {
    const waitFor = async (value: string) => {
      const answer = await world(() => fetched(503, '', [['Retry-After', value]])).cache.rulesFor(SITE)
      return answer.kind === 'unavailable' && answer.retryInMs
    }
    assert.equal(await waitFor('60'), 60_000)
    assert.equal(await waitFor('0'), 1000)
    assert.equal(await waitFor('nonsense'), 1000)
    assert.equal(await waitFor('99999999999'), DAY)
  })

  test('five redirects are followed, also to other hosts, and the rules count for the origin that was asked', async () => {
    const { cache, touches } = world((url) => {
      const hop = Number(new URL(url).searchParams.get('hop'))
      return hop === 5 ? fetched(200, FILE) : redirected(hop === 2 ? `//other.test/x?hop=3#f` : `?hop=${hop + 1}`)
    })
    assert.equal(allows(await cache.rulesFor(SITE), '/private'), false)
    assert.deepEqual(touches.slice(2, 5), [
      'https://site.test/robots.txt?hop=2',
      'https://other.test/x?hop=3',
      'https://other.test/x?hop=4',
    ])
    assert.equal(touches.length, 6)
    assert.equal(cache.peek('https://other.test' as Origin), undefined)
  })

  test('more redirects, a loop, or one that leads to no web page, mean that there is no file', async () => {
    for (const location of ['/robots.txt', 'ftp://site.test/robots.txt', 'http://', 'javascript:0']) {
      const { cache, touches } = world(() => redirected(location))
      assert.equal(allows(await cache.rulesFor(SITE), '/private'), true, location)
      assert.ok(touches.length <= 6)
    }
  })

  test('a redirect to a server that fails is a failure', async () => {
    const { cache } = world((url) =>
      url.includes('other') ? failed('connect-timeout') : redirected('http://other.test/'),
    )
    assert.equal((await cache.rulesFor(SITE)).kind, 'unavailable')
  })

  test('each touch waits for its turn, redirects included', async () => {
    const { cache, touches } = world((url) => (url.endsWith('/b') ? fetched(200, FILE) : redirected('/b')))
    const asked: string[] = []
    await cache.rulesFor(SITE, async (url) => {
      asked.push(`${url} after ${touches.length}`)
      return {}
    })
    assert.deepEqual(asked, ['https://site.test/robots.txt after 0', 'https://site.test/b after 1'])
  })

  test('many hosts that lead to one ask it once', async () => {
    const { cache, touches } = world((url) =>
      url.startsWith('https://hub.test') ? fetched(200, FILE) : redirected('https://hub.test/robots.txt'),
    )
    for (const host of ['a', 'b', 'c'])
      assert.equal(allows(await cache.rulesFor(`https://${host}.test` as Origin), '/private'), false)
    assert.deepEqual(
      touches.filter((url) => url.startsWith('https://hub.test')),
      ['https://hub.test/robots.txt'],
    )
  })

  test('what failed before the crawl was resumed is asked for again, with fresh patience', async () => {
    const store = memoryStore()
    const before = world(() => fetched(500), {}, store)
    for (let n = 0; n < 4; n++) {
      await before.cache.rulesFor(SITE)
      before.time.now += 5000
    }
    const clock: Clock = { now: () => before.time.now, sleep: async () => undefined }
    const options = { store, clock, config: robotsConfig.parse({}), openedAt: before.time.now }
    const resumed = new RobotsCache({ ...options, fetchRobots: async () => fetched(503) })
    const answer = await resumed.rulesFor(SITE)
    assert.ok(answer.kind === 'unavailable' && answer.retryInMs === 1000)
  })

  test('a question dropped before its touch, or cancelled, touches nothing and is remembered nowhere', async () => {
    const dropped = world(() => fetched(200, FILE))
    const answer = await dropped.cache.rulesFor(SITE, async () => false)
    assert.deepEqual(answer, { kind: 'unavailable', retryInMs: 0, code: 'cancelled', detail: 'not asked' })
    assert.deepEqual(dropped.touches, [])
    assert.equal(allows(await dropped.cache.rulesFor(SITE), '/open'), true)

    const cancelled = world(() => failed('cancelled'))
    await cancelled.cache.rulesFor(SITE)
    assert.equal(await cancelled.store.get(SITE), undefined)
  })

  test('a file that ended early is not trusted; one cut at the limit is', async () => {
    for (const truncated of ['time', 'length'] as const) {
      const { cache } = world(() => fetched(200, FILE, [], truncated))
      assert.equal((await cache.rulesFor(SITE)).kind, 'unavailable')
    }
    const large = `${FILE}\n${'#'.repeat(600 * 1024)}`
    const { cache } = world(() => fetched(200, large, [], 'bytes'))
    assert.equal(allows(await cache.rulesFor(SITE), '/private'), false)
  })

  test('the rules from the store are those of the fetched file, cut at the same line', async () => {
    const head = `${FILE}\n#`
    const large = `${head}${'x'.repeat(500 * 1024 - head.length - 13)}\nDisallow: /abc\n`
    const { cache, store } = world(() => fetched(200, large))
    assert.equal(allows(await cache.rulesFor(SITE), '/abc'), true)
    const other = world(() => assert.fail('touched'), {}, store)
    assert.equal(allows(await other.cache.rulesFor(SITE), '/a'), true)
  })

  test('memory is bounded by count and by size; what was dropped comes back from the store', async () => {
    const origin = (index: number) => `https://host-${index}.test` as Origin
    for (const config of [{ maxKept: 3 }, { maxKeptBytes: 1000 }]) {
      const { cache, touches } = world(() => fetched(200, FILE), config)
      for (let index = 0; index < 50; index++) await cache.rulesFor(origin(index))
      const kept = Array.from({ length: 50 }, (_, index) => cache.peek(origin(index))).filter((answer) => answer)
      assert.ok(kept.length >= 1 && kept.length <= 4, String(kept.length))
      assert.ok(cache.peek(origin(49)))
      await cache.rulesFor(origin(0))
      assert.equal(touches.length, 50)
    }
  })

  test('a file too large to be kept is still answered', async () => {
    const { cache } = world(() => fetched(200, FILE), { maxKeptBytes: 1 })
    assert.equal(allows(await cache.rulesFor(SITE), '/private'), false)
    assert.equal(cache.peek(SITE), undefined)
  })

  test('a store that fails is an error of that question alone', async () => {
    const store = memoryStore()
    const broken: RobotsStore = { ...store, get: () => Promise.reject(new Error('disk')) }
    const { cache } = world(() => fetched(200, FILE), {}, broken)
    await assert.rejects(cache.rulesFor(SITE), /disk/)
    broken.get = store.get
    assert.equal((await cache.rulesFor(SITE)).kind, 'rules')
  })
})
