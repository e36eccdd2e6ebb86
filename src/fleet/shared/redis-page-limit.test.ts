import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../clock.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { pageGrants } from './page-grants.ts'
import { RedisPageLimit } from './redis-page-limit.ts'

const clock = systemClock()
const everyMs = 20

for (const { name, skip, connect } of testRedises)
  describe(`${name}: page limit`, { skip }, () => {
    test('no more visits begin than pages are left, and one that brought no page makes room for another', async (t) => {
      const crawl = crawlOf(t, await connect(t), 2)
      await using limit = crawl.worker('a')
      assert.deepEqual(await Promise.all([limit.reserve(), limit.reserve()]), [true, true])
      const third = limit.reserve()
      crawl.settled++
      limit.giveBack(true)
      assert.equal(await Promise.race([third, clock.sleep(50)]), undefined)
      limit.giveBack(false)
      assert.equal(await third, true)
      crawl.settled++
      limit.giveBack(true)
      assert.equal(await limit.reserve(), false)
      assert.equal(limit.reached, true)
    })

    test('a grant that one worker has no use for is found by another that waits', async (t) => {
      const crawl = crawlOf(t, await connect(t), 1)
      await using idle = crawl.worker('idle')
      await using busy = crawl.worker('busy')
      assert.equal(await idle.reserve(), true)
      const waits = busy.reserve()
      idle.giveBack(false)
      assert.equal(await waits, true)
    })

    test('those who wait in other workers are told when the limit is reached', async (t) => {
      const crawl = crawlOf(t, await connect(t), 1)
      await using one = crawl.worker('one')
      await using two = crawl.worker('two')
      await one.reserve()
      const waiting = [two.reserve(), two.reserve()]
      crawl.settled++
      one.giveBack(true)
      assert.deepEqual(await Promise.all(waiting), [false, false])
    })

    test('pages that were settled before count', async (t) => {
      const crawl = crawlOf(t, await connect(t), 5)
      crawl.settled = 5
      await using limit = crawl.worker('a')
      assert.equal(await limit.reserve(), false)
    })

    test('a limit of 0 is none, and asks nobody', async (t) => {
      const nobody = {} as RedisClient
      await using limit = crawlOf(t, nobody, 0).worker('a')
      for (let i = 0; i < 100; i++) assert.equal(await limit.reserve(), true)
      limit.giveBack(true)
      assert.equal(limit.reached, false)
    })

    test('most visits ask nobody', async (t) => {
      const crawl = crawlOf(t, await connect(t), 100_000)
      await using limit = crawl.worker('a')
      for (let i = 0; i < 2000; i++) {
        assert.equal(await limit.reserve(), true)
        crawl.settled++
        limit.giveBack(true)
      }
      assert.ok(crawl.scripts <= 2000 / 10, `${crawl.scripts} calls for 2000 pages`)
    })

    test('what a dead worker held is brought by others once it is reclaimed, and what it settled is not', async (t) => {
      const crawl = crawlOf(t, await connect(t), 3)
      const dead = crawl.worker('dead')
      await Promise.all([dead.reserve(), dead.reserve()])
      crawl.settled++
      crawl.kill('dead')
      await using living = crawl.worker('living')
      const both = Promise.all([living.reserve(), living.reserve()])
      assert.equal(await Promise.race([both, clock.sleep(50)]), undefined)
      await crawl.grants.reclaim(new Set(['living']))
      assert.deepEqual(await both, [true, true])
      crawl.settled += 2
      living.giveBack(true)
      living.giveBack(true)
      assert.equal(await living.reserve(), false)
    })

    test('a worker that was taken for dead begins anew with what it has under way', async (t) => {
      const crawl = crawlOf(t, await connect(t), 3)
      await using limit = crawl.worker('slow')
      assert.equal(await limit.reserve(), true)
      await crawl.grants.reclaim(new Set())
      const others = [limit.reserve(), limit.reserve(), limit.reserve()]
      assert.equal(await Promise.race([Promise.all(others), clock.sleep(100)]), undefined)
      crawl.settled += 3
      for (let i = 0; i < 3; i++) limit.giveBack(true)
      assert.deepEqual((await Promise.all(others)).toSorted(), [false, true, true])
    })

    test('a worker that opens its limit again, without having closed it, loses no grant', async (t) => {
      const crawl = crawlOf(t, await connect(t), 10)
      const failed = crawl.worker('same')
      await failed.reserve()
      crawl.settled++
      failed.giveBack(true)
      crawl.kill('same')
      await using limit = crawl.worker('same')
      for (let i = 0; i < 9; i++) {
        assert.equal(await limit.reserve(), true)
        crawl.settled++
        limit.giveBack(true)
      }
      assert.equal(await limit.reserve(), false)
    })

    test('grants that the engine has forgotten are made anew from the truth', async (t) => {
      const client = await connect(t)
      const crawl = crawlOf(t, client, 50)
      await using limit = crawl.worker('a')
      for (let pages = 1; await limit.reserve(); pages++) {
        crawl.settled++
        limit.giveBack(true)
        if (pages === 20) await client.del(crawl.key)
      }
      assert.equal(crawl.settled, 50)
    })

    test('a key of another kind is answered with one clear sentence, again and again', async (t) => {
      const client = await connect(t)
      const crawl = crawlOf(t, client, 5)
      await client.set(crawl.key, 'x')
      await using limit = crawl.worker('a')
      for (let i = 0; i < 2; i++)
        await assert.rejects(limit.reserve(), /holds something that this version of Orbweaver does not understand/)
    })

    for (const seed of [1, 2, 3])
      test(`workers come, die and bring what is no page, answers are lost: exactly so many pages come (seed ${seed})`, async (t) => {
        const chance = randomFrom(seed)
        const client = await connect(t)
        const crawl = crawlOf(
          t,
          losingAnswers(client, () => chance() < 0.1),
          400,
        )
        const living = new Set<string>()
        let born = 0
        let isOver = false

        async function live(): Promise<void> {
          const id = `w${born++}`
          living.add(id)
          const limit = crawl.worker(id)
          const diesAt = chance() < 0.7 ? chance() * 60 : Number.POSITIVE_INFINITY
          let visits = 0
          const death = Promise.withResolvers<false>()
          const isDead = () => {
            if (visits < diesAt) return false
            crawl.kill(id)
            death.resolve(false)
            return true
          }
          const visitor = async () => {
            while (!isDead() && (await Promise.race([limit.reserve(), death.promise]))) {
              visits++
              await clock.sleep(chance() * 3)
              if (isDead() && chance() < 0.5) return
              const isPage = chance() < 0.6
              if (isPage) crawl.settled++
              assert.ok(crawl.settled <= 400, `${crawl.settled} pages`)
              if (isDead()) return
              limit.giveBack(isPage)
            }
          }
          await Promise.all(Array.from({ length: 5 }, visitor))
          if (!isDead()) return limit[Symbol.asyncDispose]()
          living.delete(id)
          if (!isOver) await live()
        }

        async function lead(): Promise<void> {
          while (!isOver) {
            await clock.sleep(15)
            await crawl.grants.reclaim(new Set(living))
          }
        }
        const leading = lead()
        await Promise.all(Array.from({ length: 4 }, live))
        isOver = true
        await leading
        assert.equal(crawl.settled, 400)
        assert.ok(born > 4)
      })
  })

interface TestCrawl {
  settled: number
  readonly scripts: number
  readonly key: string
  readonly grants: ReturnType<typeof pageGrants>
  worker(id: string): RedisPageLimit
  /** From now on the engine hears nothing of this worker, and this worker nothing of the engine. */
  kill(id: string): void
}

function crawlOf(test: TestContext, client: RedisClient, maxPages: number): TestCrawl {
  const prefix = somePrefix()
  const killers = new Map<string, () => void>()
  const forever = () =>
    new Promise<never>((_, reject) => {
      test.after(() => reject(new Error('the test is over')))
    })
  let scripts = 0
  const settledPages = async () => crawl.settled
  const options = { client, prefix, crawl: 'news', maxPages, settledPages, clock }
  const crawl: TestCrawl = {
    settled: 0,
    get scripts() {
      return scripts
    },
    key: `${prefix}:{${prefix}:crawl:news}:grants`,
    grants: pageGrants(options),
    worker(id) {
      let isDead = false
      killers.set(id, () => {
        isDead = true
      })
      const own = withCalls(client, async (name, call) => {
        if (name === 'evalsha') scripts++
        return isDead ? forever() : call()
      })
      return new RedisPageLimit({ ...options, client: own, worker: id, everyMs })
    },
    kill: (id) => killers.get(id)!(),
  }
  return crawl
}

/** The engine acts, and the answer never arrives: to the caller it is as if it had been away. */
function losingAnswers(client: RedisClient, isLost: () => boolean): RedisClient {
  return withCalls(client, async (name, call) => {
    const answer = await call()
    if (name === 'evalsha' && isLost()) throw new Error('CLUSTERDOWN the answer was lost')
    return answer
  })
}

type Around = (name: string, call: () => Promise<unknown>) => Promise<unknown>

function withCalls(client: RedisClient, around: Around): RedisClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      // No question to the engine, and nobody awaits it.
      if (name === 'refreshSlotsCache') return value.bind(target)
      return (...args: unknown[]) => around(String(name), () => value.apply(target, args))
    },
  })
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
