import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestWeb, type TestWeb } from '../../test/web/web.ts'
import type { CrawlState } from '../server/api/schemas/crawl.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { seedCandidate } from '../worker/seeds.ts'
import type { Operations } from './operations.ts'
import { Refusal } from './refusal.ts'

/** Operations, with somebody who works on the crawls. */
export type OpenOperations = () => Promise<Operations>

const hosts = [
  { character: 'polite', name: 'shop', pages: 30 },
  { character: 'polite', name: 'side', pages: 4 },
  { character: 'unreachable', name: 'nowhere', kinds: ['not-found'] },
] as const

export interface OperationsUnderTest {
  readonly open: OpenOperations
  /** Between two requests, such that an order arrives before a crawl of thirty pages is over. */
  readonly paceMs: number
  readonly skip?: string | false
}

/** What every adapter of Operations promises, over a small web. */
export function operationsConformance(name: string, { open, paceMs, skip = false }: OperationsUnderTest): void {
  describe(`Operations: ${name}`, { skip }, () => {
    let web: TestWeb
    let operations: Operations
    let settings: Record<string, unknown>
    let count = 0

    before(async () => {
      web = await startTestWeb({ hosts, seed: 'operations' })
      operations = await open()
      settings = {
        dns: { servers: [web.dns] },
        allowPrivate: ['*'],
        worker: { threads: 0 },
        politeness: { delayMs: 30 },
        limits: { maxWaitMs: 60_000 },
      }
    })
    after(async () => {
      await operations[Symbol.asyncDispose]()
      await web[Symbol.asyncDispose]()
    })

    const slowly = { politeness: { delayMs: paceMs } }
    const origin = (host: string) => `http://${host}.test:${web.httpPort}`
    const stateOf = async (id: string) => (await operations.crawls.get(id)).state
    const countsOf = async (id: string) => (await operations.crawls.read(id)).ledger.counts()
    const pagesOf = async (id: string) => (await (await operations.crawls.read(id)).ledger.sums()).pages ?? 0
    const refuses = (code: Refusal['code'], act: Promise<unknown>) =>
      assert.rejects(act, (error) => error instanceof Refusal && error.code === code)

    async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
      for (let tries = 0; !(await condition()); tries++) {
        assert.ok(tries < 300, what)
        await sleep(50)
      }
    }
    const reaches = (id: string, state: CrawlState) =>
      until(async () => (await stateOf(id)) === state, `${id} becomes ${state}`)
    const hasPages = (id: string, pages: number) => until(async () => (await pagesOf(id)) >= pages, `${pages} pages`)

    /** Starts a crawl; once it has begun, `act`. What is left of it is stopped. */
    async function crawling(seeds: readonly string[], act: (id: string) => Promise<void>, more: object = {}) {
      const id = await operations.crawls.create({
        id: `crawl-${++count}`,
        seeds: seeds.map((host) => `${origin(host)}/`),
        settings: { ...settings, ...more },
      })
      try {
        await act(id)
      } finally {
        if (['running', 'paused'].includes(await stateOf(id))) await operations.crawls.stop(id)
        await until(async () => ['stopped', 'finished', 'failed'].includes(await stateOf(id)), 'ends')
      }
    }

    test('a crawl that is started runs to its end, is listed, and its name is taken', async () => {
      await crawling(['side', 'nowhere'], async (id) => {
        await refuses('conflict', operations.crawls.create({ id, seeds: [`${origin('shop')}/`], settings }))
        await reaches(id, 'finished')
        assert.equal(await pagesOf(id), 4)
        assert.equal((await countsOf(id)).dead, 1)
        const [newest] = await operations.crawls.list(1)
        assert.equal(newest?.id, id)
        assert.equal(newest?.seedCount, 2)
      })
    })

    test('orders that are not sound start nothing', async () => {
      const listed = (await operations.crawls.list(1000)).length
      await assert.rejects(operations.crawls.create({ seeds: ['http://'], settings: {} }), /is no URL/)
      await assert.rejects(
        operations.crawls.create({ seeds: ['a.test'], settings: { limits: { maxPage: 1 } } }),
        /maxPages/,
      )
      assert.equal((await operations.crawls.list(1000)).length, listed)
    })

    test('a paused crawl touches no host until it is resumed, and then misses nothing', async () => {
      await crawling(['shop'], async (id) => {
        await hasPages(id, 2)
        await operations.crawls.pause(id)
        await operations.crawls.pause(id)
        assert.equal(await stateOf(id), 'paused')
        await until(
          async () => (await operations.counters()).crawls.every(({ counts }) => counts.leased === 0),
          'rests',
        )
        const requests = web.requests.length
        await sleep(300)
        assert.equal(web.requests.length, requests)
        await operations.crawls.resume(id)
        await reaches(id, 'finished')
        assert.equal(await pagesOf(id), 30)
      })
    })

    test('what is open is told by band', async () => {
      await crawling(
        ['shop'],
        async (id) => {
          const told = async () => (await operations.counters()).crawls.find((crawl) => crawl.id === id)
          await until(async () => ((await told())?.bands?.medium ?? 0) > 0, 'links of the seed are in band medium')
          const { bands, counts, carried } = (await told())!
          assert.equal(carried, 0)
          assert.equal(bands!.high + bands!.medium + bands!.low, counts.queued + counts.leased)
        },
        slowly,
      )
    })

    test('a stopped crawl keeps its queue, and goes on when it is resumed', async () => {
      await crawling(
        ['shop'],
        async (id) => {
          await hasPages(id, 2)
          await operations.crawls.stop(id)
          await reaches(id, 'stopped')
          assert.ok((await countsOf(id)).queued > 0)
          await refuses('conflict', operations.crawls.pause(id))
          await operations.crawls.change(id, { delayMs: 10 })
          await operations.crawls.resume(id)
          await reaches(id, 'finished')
          assert.equal(await pagesOf(id), 30)
        },
        slowly,
      )
    })

    test('a limit that is changed while the crawl runs is exact, and can be raised afterwards', async () => {
      await crawling(
        ['shop'],
        async (id) => {
          await hasPages(id, 1)
          await operations.crawls.change(id, { maxPages: 24, delayMs: 10 })
          await reaches(id, 'finished')
          assert.equal(await pagesOf(id), 24)
          await operations.crawls.change(id, { maxPages: 26 })
          await operations.crawls.resume(id)
          await hasPages(id, 26)
          await reaches(id, 'finished')
          assert.equal(await pagesOf(id), 26)
        },
        slowly,
      )
    })

    test('URLs that are offered are admitted once and visited', async () => {
      await crawling(
        ['side'],
        async (id) => {
          const url = `${origin('shop')}/` as CanonicalUrl
          assert.deepEqual(await operations.crawls.offer(id, [seedCandidate(url, 'host')]), ['admitted'])
          assert.deepEqual(await operations.crawls.offer(id, [seedCandidate(url, 'host')]), ['known'])
          const { records } = await operations.crawls.read(id)
          await until(async () => (await records.get(url)) !== undefined, 'the page is there')
        },
        { limits: { maxDepth: 0 } },
      )
    })

    test('dead letters are sent back or dropped, while the crawl runs', async () => {
      await crawling(['shop', 'nowhere'], async (id) => {
        await until(async () => (await countsOf(id)).dead === 1, 'a dead letter')
        assert.equal(await operations.crawls.retryDead(id, { reason: 'reset' }), 0)
        assert.equal(await operations.crawls.retryDead(id, { host: `nowhere.test:${web.httpPort}` as HostKey }), 1)
        await until(async () => (await countsOf(id)).dead === 1, 'dead once more')
        assert.equal(await operations.crawls.dropDead(id, { urls: [`${origin('nowhere')}/` as CanonicalUrl] }), 1)
        await until(async () => (await countsOf(id)).excluded === 1, 'excluded')
        await reaches(id, 'finished')
        const { admitted, done, excluded, dead } = await countsOf(id)
        assert.deepEqual([excluded, dead], [1, 0])
        assert.equal(done, admitted - 1)
      })
    })

    test('a host that is blocked is not touched, and what waits for it is excluded', async () => {
      await operations.hosts.set('shop.test', { block: true, note: 'they asked' })
      try {
        const touched = web.log('shop.test').length
        await crawling(['shop', 'side'], async (id) => {
          await reaches(id, 'finished')
          const { ledger } = await operations.crawls.read(id)
          assert.equal((await ledger.lookup(`${origin('shop')}/` as CanonicalUrl))?.reason, 'blocked-by-operator')
          assert.equal(await pagesOf(id), 4)
          assert.equal(web.log('shop.test').length, touched)
        })
        assert.deepEqual(await operations.hosts.list(), [
          { host: 'shop.test', setting: { block: true, note: 'they asked' } },
        ])
      } finally {
        assert.equal(await operations.hosts.remove('shop.test'), true)
      }
      assert.equal(await operations.hosts.remove('shop.test'), false)
    })

    test('a host that is paused waits until that is taken back', async () => {
      await operations.hosts.set('*.test', { pause: true })
      await crawling(['side'], async (id) => {
        const touched = web.log('side.test').length
        const { ledger } = await operations.crawls.read(id)
        const key = `side.test:${web.httpPort}` as HostKey
        await until(async () => (await ledger.host(key))?.hold === 'paused-by-operator', 'is held')
        assert.equal(web.log('side.test').length, touched)
        await operations.hosts.remove('*.test')
        await reaches(id, 'finished')
        assert.equal(await pagesOf(id), 4)
      })
    })

    test('counters tell of crawls that run and of who works on them', async () => {
      await crawling(
        ['shop'],
        async (id) => {
          await hasPages(id, 2)
          await until(
            async () => (await operations.counters()).workers.some(({ crawls }) => crawls.includes(id)),
            'is worked on',
          )
          const { crawls, workers } = await operations.counters()
          const [crawl] = crawls
          assert.equal(crawl?.id, id)
          assert.ok(crawl.tally.pages >= 2)
          assert.ok(crawl.counts.admitted > 2)
          assert.ok(workers.some(({ alive, rssBytes, cpuMs }) => alive && rssBytes! > 1e6 && cpuMs! > 0))
        },
        slowly,
      )
      assert.deepEqual((await operations.counters()).crawls, [])
    })

    test('a crawl is forgotten when it has ended, and not before', async () => {
      let ended = ''
      await crawling(['shop'], async (id) => {
        ended = id
        await hasPages(id, 1)
        await refuses('conflict', operations.crawls.remove(id))
      })
      await operations.crawls.remove(ended)
      await refuses('not-found', operations.crawls.get(ended))
      assert.ok((await operations.crawls.list(1000)).every(({ id }) => id !== ended))
    })

    test('a crawl that is not there is told so, whatever is asked of it', async () => {
      const { crawls } = operations
      for (const act of [
        () => crawls.get('none'),
        () => crawls.read('none'),
        () => crawls.pause('none'),
        () => crawls.resume('none'),
        () => crawls.stop('none'),
        () => crawls.change('none', { maxPages: 1 }),
        () => crawls.remove('none'),
        () => crawls.offer('none', []),
        () => crawls.retryDead('none', {}),
        () => crawls.dropDead('none', {}),
        () => crawls.reindex('none'),
      ])
        await refuses('not-found', act())
    })

    test('everything that is needed is checked', async () => {
      assert.ok((await operations.checks()).every(({ ok }) => ok))
    })
  })
}
