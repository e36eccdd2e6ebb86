import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CanonicalUrl } from '../url/keys.ts'
import { timelessCrawl } from './recrawl.fixture.ts'
import { RecrawlLoop, revisitDue } from './recrawl.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const intervals = { minMs: hourMs, maxMs: 9 * dayMs }
const page = (name: string) => `https://a.test/${name}` as CanonicalUrl
const steady = () => 'always the same'

const periodsMs: Readonly<Record<string, number>> = { hourly: hourMs, daily: dayMs, weekly: 7 * dayMs }

function changing(url: CanonicalUrl, now: number): string | null {
  const name = new URL(url).pathname.slice(1)
  if (name === 'gone') return null
  return name === 'never' ? 'words' : `words ${Math.floor(now / periodsMs[name]!)}`
}

describe('what is due', () => {
  test('in 30 days pages are visited as often as they change', async (t) => {
    using crawl = timelessCrawl(intervals, changing)
    const names = ['hourly', 'daily', 'weekly', 'never', 'gone']
    await crawl.offer(names.map(page))
    for (const end = crawl.time.now + 30 * dayMs; crawl.time.now < end; crawl.time.now += hourMs / 4) {
      await revisitDue(crawl)
      await crawl.visitAll()
    }
    const [hourly, daily, weekly, never, gone] = names.map((name) => crawl.visits.get(page(name))!)
    assert.ok(hourly! > 400 && hourly! <= 720, `hourly: ${hourly}`)
    assert.ok(daily! > 40 && daily! < 120, `daily: ${daily}`)
    assert.ok(weekly! >= 4 && weekly! < daily! / 2, `weekly: ${weekly}`)
    assert.ok(never! >= 4 && never! <= weekly!, `never: ${never}`)
    assert.equal(gone, 3, 'twice more, and then never')
    t.diagnostic(`visits: hourly ${hourly}, daily ${daily}, weekly ${weekly}, never ${never}, gone ${gone}`)
    assert.equal((await crawl.frontier.counts()).admitted, names.length)
    assert.equal((await crawl.records.get(page('gone')))?.next?.dueAt, null)
  })

  test('each page is visited once for each interval, however often somebody looks', async () => {
    using crawl = timelessCrawl({ minMs: dayMs, maxMs: dayMs }, steady)
    await crawl.offer([page('a'), page('b')])
    await crawl.visitAll()
    for (let day = 0; day < 5; day++) {
      crawl.time.now += dayMs
      for (let look = 0; look < 3; look++) await Promise.all([revisitDue(crawl), revisitDue(crawl)])
      await crawl.visitAll()
      for (let look = 0; look < 3; look++) assert.equal(await revisitDue(crawl), 0)
      await crawl.visitAll()
    }
    assert.deepEqual([...crawl.visits.values()], [6, 6])
  })

  test('whoever dies between handing over and putting off neither loses a visit nor makes it twice', async () => {
    using crawl = timelessCrawl({ minMs: dayMs, maxMs: dayMs }, steady)
    const pages = Array.from({ length: 50 }, (_, n) => page(`p${n}`))
    await crawl.offer(pages)
    await crawl.visitAll()
    crawl.time.now += dayMs
    const dying = { ...crawl.records, due: crawl.records.due, putOff: () => Promise.reject(new Error('killed')) }
    await assert.rejects(revisitDue({ ...crawl, records: dying }), /killed/)
    await assert.rejects(revisitDue({ ...crawl, records: dying }), /killed/)
    assert.equal((await crawl.frontier.counts()).queued, 50)
    assert.equal(await revisitDue(crawl), 0)
    assert.equal((await crawl.frontier.counts()).queued, 50)
    await crawl.visitAll()
    assert.ok(pages.every((url) => crawl.visits.get(url) === 2))
    assert.equal((await crawl.records.outlook(crawl.time.now)).planned, 50)
  })

  test('a revisit that comes to nothing is due once more after a day at the latest', async () => {
    using crawl = timelessCrawl({ minMs: hourMs, maxMs: 30 * dayMs }, steady)
    await crawl.offer([page('a')])
    await crawl.visitAll()
    crawl.time.now += 30 * dayMs
    await revisitDue(crawl)
    const [lease] = (await crawl.frontier.lease(1, 1)).leases
    await crawl.frontier.settle(lease!, [{ url: page('a'), kind: 'dead', reason: 'timeout' }])
    await crawl.frontier.release(lease!, { touchedMsAgo: null, pace: lease!.pace })
    assert.equal(await revisitDue(crawl), 0)
    crawl.time.now += dayMs
    assert.equal(await revisitDue(crawl), 1)
    const { queued, dead } = await crawl.frontier.counts()
    assert.deepEqual({ queued, dead }, { queued: 1, dead: 0 })
  })

  test('what was excluded meanwhile is not asked for again', async () => {
    using crawl = timelessCrawl({ minMs: dayMs, maxMs: dayMs }, steady)
    await crawl.offer([page('a')])
    await crawl.visitAll()
    crawl.time.now += dayMs
    await revisitDue(crawl)
    const [lease] = (await crawl.frontier.lease(1, 1)).leases
    await crawl.frontier.settle(lease!, [{ url: page('a'), kind: 'excluded', reason: 'robots' }])
    await crawl.frontier.release(lease!, { touchedMsAgo: null, pace: lease!.pace })
    crawl.time.now += dayMs
    assert.equal(await revisitDue(crawl), 0)
    assert.deepEqual(await crawl.records.outlook(crawl.time.now), { planned: 0, overdue: 0, nextAt: null })
  })

  test('with plenty handed over the rest waits where it is, whatever else is queued', async () => {
    using crawl = timelessCrawl({ minMs: dayMs, maxMs: dayMs }, steady)
    await crawl.offer(Array.from({ length: 10_600 }, (_, n) => page(`due${n}`)))
    await crawl.visitAll()
    await crawl.offer(Array.from({ length: 500 }, (_, n) => page(`new${n}`)))
    crawl.time.now += dayMs
    assert.equal(await revisitDue(crawl), 10_000)
    assert.equal(await revisitDue(crawl), 0)
    assert.equal((await crawl.frontier.counts()).queued, 10_500)
    await crawl.visitAll()
    assert.equal(await revisitDue(crawl), 600)
  })
})

test('the loop hands over what is due until it is stopped, and knows what comes next', async () => {
  using crawl = timelessCrawl({ minMs: hourMs, maxMs: hourMs }, steady)
  await crawl.offer([page('a')])
  await crawl.visitAll()
  const stopping = new AbortController()
  let handedOver = 0
  const clock = {
    now: () => crawl.time.now,
    async sleep(ms: number) {
      await crawl.visitAll()
      crawl.time.now += ms
      if (handedOver === 3) stopping.abort()
    },
  }
  const loop = new RecrawlLoop({ ...crawl, clock, onQueued: () => void handedOver++ })
  await loop.run(stopping.signal)
  assert.equal(crawl.visits.get(page('a')), 4)
  assert.equal(loop.outlook.planned, 1)
})

test('the loop knows within seconds what a crawl that has just begun has planned, and when it is stopped', async () => {
  using crawl = timelessCrawl({ minMs: hourMs, maxMs: hourMs }, steady)
  const stopping = new AbortController()
  const planned: number[] = []
  const start = crawl.time.now
  const clock = {
    now: () => crawl.time.now,
    async sleep(ms: number) {
      planned.push(loop.outlook.planned)
      crawl.time.now += ms
      await crawl.offer([page(`${planned.length}`)])
      await crawl.visitAll()
      if (planned.length === 2) stopping.abort()
    },
  }
  const loop = new RecrawlLoop({ ...crawl, clock, onQueued: () => {} })
  const running = loop.run(stopping.signal)
  await running
  assert.deepEqual([...planned, loop.outlook.planned], [0, 1, 2])
  assert.ok(crawl.time.now - start < 60_000)
})
