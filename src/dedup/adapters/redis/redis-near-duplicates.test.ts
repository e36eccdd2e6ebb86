import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Cluster, type Redis } from 'ioredis'
import { ownEngine, startRedis } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import type { Order } from '../../../engines/redis/order.ts'
import { connectTo, somePrefix, testRedises } from '../../../engines/redis/test-redis.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { nearDuplicatesConformance } from '../../near-duplicates.conformance.ts'
import { distance } from '../../simhash.ts'
import { Admission } from './admission.ts'
import { fingerprintOf, MAX_MEMBERS } from './fingerprint.ts'
import { NearBuckets } from './near-buckets.ts'
import { RedisNearDuplicates } from './redis-near-duplicates.ts'

const clock = systemClock()
const crawl = 'news'
const ZERO = '0000000000000000'

for (const { name, skip, connect } of testRedises) {
  const place = (t: TestContext) => {
    const prefix = somePrefix()
    return async () => new RedisNearDuplicates({ client: await connect(t), prefix, crawl, clock })
  }
  nearDuplicatesConformance(name, place, skip)

  describe(`${name}: near-duplicates among workers`, { skip }, () => {
    test('near pages that come to many workers at the same moment point at one original each', async (t) => {
      const prefix = somePrefix()
      const chance = randomFrom(7)
      const workers: RedisNearDuplicates[] = []
      for (let i = 0; i < 4; i++)
        workers.push(new RedisNearDuplicates({ client: late(await connect(t), chance), prefix, crawl, clock }))
      for (let round = 0; round < 60; round++) {
        const centre = someHash(chance)
        const pages = Array.from({ length: 8 }, (_, i) => {
          const flips = Array.from({ length: Math.floor(chance() * 4) }, () => Math.floor(chance() * 64))
          return { url: urlOf(`${round}/${i}`), simhash: flipped(centre, flips) }
        })
        const answers = await Promise.all(pages.map(({ url, simhash }, i) => workers[i % 4]!.findOrAdd(url, simhash)))
        const originals = pages.filter((_, i) => answers[i] === undefined)
        for (const [i, answer] of answers.entries()) {
          if (answer === undefined) continue
          const original = originals.find(({ url }) => url === answer)
          assert.ok(original, `${answer} is no original`)
          assert.ok(distance(original.simhash, pages[i]!.simhash) <= 3)
        }
        for (const a of originals)
          for (const b of originals) assert.ok(a === b || distance(a.simhash, b.simhash) > 3, `round ${round}`)
        for (const [i, { url, simhash }] of pages.entries())
          if (answers[i] === undefined) assert.equal(await workers[(i + 1) % 4]!.findOrAdd(url, simhash), undefined)
      }
    })

    test('pages with the very same fingerprint that come at the same moment have one original', async (t) => {
      const prefix = somePrefix()
      const clients = await Promise.all([connect(t), connect(t), connect(t)])
      const workers = clients.map((client) => new RedisNearDuplicates({ client, prefix, crawl, clock }))
      for (let round = 0; round < 20; round++) {
        const simhash = round.toString(16).padStart(2, '0').repeat(8)
        const answers = await Promise.all(workers.map((near, i) => near.findOrAdd(urlOf(`${round}/${i}`), simhash)))
        const first = answers.indexOf(undefined)
        assert.deepEqual(
          answers.filter((answer) => answer !== undefined),
          [urlOf(`${round}/${first}`), urlOf(`${round}/${first}`)],
        )
      }
    })

    test('an original whose worker died before it was written is found, and written by the next that comes', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const base = `${prefix}:near:${crawl}`
      const courier = new Courier({ client })
      const ask = (orders: readonly Order[]) => courier.askAll(orders, 'bytes')
      const dead = new Admission(base, ask, clock, { staysMs: 10_000, orphanedMs: 20 })
      const zero = fingerprintOf(ZERO)!
      await dead.decide([{ url: urlOf('dead'), fingerprint: zero }], Date.now())
      const patient = new RedisNearDuplicates({
        client,
        courier: spread(client),
        prefix,
        crawl,
        clock,
        orphanedMs: 60_000,
      })
      assert.equal(await patient.findOrAdd(urlOf('x'), flipped(ZERO, [5])), urlOf('dead'))
      const buckets = new NearBuckets(base, ask)
      assert.deepEqual(await buckets.near([zero]), [[]])
      await clock.sleep(30)
      const near = new RedisNearDuplicates({ client, courier: spread(client), prefix, crawl, clock, orphanedMs: 20 })
      assert.equal(await near.findOrAdd(urlOf('y'), 'ffffffffffffffff'), undefined)
      await near[Symbol.asyncDispose]()
      assert.deepEqual(
        (await buckets.near([zero])).flat().map(({ url }) => url),
        [urlOf('dead')],
      )
      assert.equal(await near.findOrAdd(urlOf('dead'), ZERO), undefined)
    })

    test('a page that was held up after it had read the buckets reads them again', async (t) => {
      const prefix = somePrefix()
      const options = { prefix, crawl, clock, staysMs: 100 }
      const client = await connect(t)
      const quick = new RedisNearDuplicates({ ...options, client, courier: spread(client) })
      const held = Promise.withResolvers<void>()
      let holding = false
      const slowClient = withExec(await connect(t), async (send) => {
        const answer = await send()
        if (holding) await held.promise
        return answer
      })
      const slow = new RedisNearDuplicates({ ...options, client: slowClient, courier: spread(slowClient) })
      await slow.findOrAdd(urlOf('warm'), 'aaaaaaaaaaaaaaaa')
      await slow[Symbol.asyncDispose]()
      holding = true
      const asked = slow.findOrAdd(urlOf('late'), flipped(ZERO, [7]))
      await clock.sleep(10)
      assert.equal(await quick.findOrAdd(urlOf('first'), ZERO), undefined)
      await quick[Symbol.asyncDispose]()
      await clock.sleep(120)
      for (const simhash of ['5555555555555555', 'ffffffffffffffff']) await quick.findOrAdd(urlOf(simhash), simhash)
      holding = false
      held.resolve()
      assert.equal(await asked, urlOf('first'))
    })

    test('the place of admission does not grow with the crawl', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const near = new RedisNearDuplicates({ client, courier: spread(client), prefix, crawl, clock, staysMs: 20 })
      for (let i = 0; i < 800; i += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, n) => near.findOrAdd(urlOf(i + n), crowded(i + n))))
        await clock.sleep(15)
      }
      const place = `{${prefix}:near:${crawl}}`
      const blocks = await Promise.all(['young', 'old'].map((name) => client.hlen(`${place}:${name}:blocks`)))
      const originals = await Promise.all(['young', 'old'].map((name) => client.hlen(`${place}:${name}:originals`)))
      const unwritten = await client.zcard(`${place}:unwritten`)
      const sizes = [originals[0]! + originals[1]!, blocks[0]! + blocks[1]!, unwritten] as const
      assert.ok(sizes[0] < 250 && sizes[1] < 1000 && sizes[2] < 60, sizes.join())
      assert.equal(await near.findOrAdd(urlOf('new'), crowded(3)), urlOf(3))
    })

    test('a crowded bucket stops growing, and its members are still found', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const near = new RedisNearDuplicates({ client, prefix, crawl, clock })
      const total = MAX_MEMBERS + 200
      for (let i = 0; i < total; i += 89)
        await Promise.all(
          Array.from({ length: Math.min(89, total - i) }, (_, n) => near.findOrAdd(urlOf(i + n), crowded(i + n))),
        )
      const base = `${prefix}:near:${crawl}`
      const size =
        client instanceof Cluster
          ? await client.strlen(`${base}:0:${(0xcafe).toString(36)}`)
          : await client.hstrlen(`${base}:block:0`, 'cafe')
      assert.ok(size <= MAX_MEMBERS * 6 && size > MAX_MEMBERS * 3, `${size} bytes`)
      assert.equal(await near.findOrAdd(urlOf('new'), crowded(total - 1)), urlOf(total - 1))
      // Pushed out of the crowded bucket, still found by its other blocks.
      assert.equal(await near.findOrAdd(urlOf('new'), crowded(0)), urlOf(0))
    })

    test('what is no fingerprint is near to nothing, and asks nobody', async (t) => {
      const near = new RedisNearDuplicates({ client: await connect(t), prefix: somePrefix(), crawl, clock })
      for (const text of ['', 'xyz', '0'.repeat(15), '0'.repeat(17), 'g'.repeat(16)])
        for (const url of [urlOf(1), urlOf(2)]) assert.equal(await near.findOrAdd(url, text), undefined)
      assert.equal(near.trips, 0)
    })

    test('two crawls know nothing of each other', async (t) => {
      const options = { client: await connect(t), prefix: somePrefix(), clock }
      await new RedisNearDuplicates({ ...options, crawl: 'one' }).findOrAdd(urlOf(1), ZERO)
      assert.equal(await new RedisNearDuplicates({ ...options, crawl: 'two' }).findOrAdd(urlOf(2), ZERO), undefined)
    })

    test('keys of another kind or format that are spread are answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const near = new RedisNearDuplicates({ client, courier: spread(client), prefix, crawl, clock })
      const bucket = `${prefix}:near:${crawl}:0:0`
      for (const value of ['x', '1234567']) {
        await client.set(bucket, value)
        await assert.rejects(near.findOrAdd(urlOf(1), ZERO), /:near:news:0:0" holds something that this version/)
      }
      await client.set(bucket, Buffer.alloc(6))
      await client.hset(`${prefix}:near:${crawl}:o:0`, Buffer.alloc(8), 'what')
      await assert.rejects(near.findOrAdd(urlOf(1), ZERO), /:near:news:o:0" holds something that this version/)
      await client.set(`{${prefix}:near:${crawl}}:young:blocks`, 'x')
      await assert.rejects(
        near.findOrAdd(urlOf(1), 'f'.repeat(16)),
        /}:young:blocks".* holds something that this version/,
      )
    })
  })
}

describe('near-duplicates on one server', { skip: testRedises[0]!.skip }, () => {
  const connect = (t: TestContext) => testRedises[0]!.connect(t)

  test('pages of one turn travel together, in one trip', async (t) => {
    const near = new RedisNearDuplicates({ client: await connect(t), prefix: somePrefix(), crawl, clock })
    const ask = (name: string, few: number) =>
      Promise.all(Array.from({ length: few }, (_, i) => near.findOrAdd(urlOf(`${name}${i}`), crowded(i))))
    await ask('a', 30)
    assert.equal(near.trips, 1)
    assert.deepEqual(
      await ask('b', 30),
      Array.from({ length: 30 }, (_, i) => urlOf(`a${i}`)),
    )
    assert.equal(near.trips, 2)
  })

  test('a page that meets many originals is compared by its worker, in one trip more, and misses none', async (t) => {
    const near = new RedisNearDuplicates({ client: await connect(t), prefix: somePrefix(), crawl, clock })
    const total = 300
    for (let i = 0; i < total; i++) assert.equal(await near.findOrAdd(urlOf(i), crowded(i)), undefined)
    for (const [bits, i] of [[], [3], [17, 33], [0, 30, 62]].map((bits, n) => [bits, 70 * n] as const)) {
      const before = near.trips
      assert.equal(await near.findOrAdd(urlOf('new'), flipped(crowded(i), bits)), urlOf(i))
      assert.ok(near.trips - before <= 2, `${near.trips - before} trips`)
    }
    assert.equal(await near.findOrAdd(urlOf(7), crowded(7)), undefined, 'near to its own earlier self')
  })

  test('near pages that meet many originals at the same moment have one original', async (t) => {
    const prefix = somePrefix()
    const clients = await Promise.all([connect(t), connect(t), connect(t)])
    const workers = clients.map((client) => new RedisNearDuplicates({ client, prefix, crawl, clock }))
    for (let i = 0; i < 200; i++) await workers[0]!.findOrAdd(urlOf(i), crowded(i))
    for (let round = 0; round < 20; round++) {
      const simhash = crowded(1000 + round)
      const answers = await Promise.all(workers.map((near, i) => near.findOrAdd(urlOf(`${round}/${i}`), simhash)))
      assert.deepEqual(answers.filter((answer) => answer === undefined).length, 1, `round ${round}`)
    }
  })

  test('between originals of one turn the earliest is answered', async (t) => {
    const near = new RedisNearDuplicates({ client: await connect(t), prefix: somePrefix(), crawl, clock })
    const ask = (name: string, bits: readonly number[]) => near.findOrAdd(urlOf(name), flipped(ZERO, bits))
    assert.deepEqual(await Promise.all([ask('a', []), ask('b', [1, 2, 3, 40]), ask('c', [1, 2])]), [
      ...[undefined, undefined, urlOf('a')],
    ])
  })

  test('keys of another kind or format are answered with one clear sentence, and nothing is written', async (t) => {
    const client = (await connect(t)) as Redis
    const prefix = somePrefix()
    const base = `${prefix}:near:${crawl}`
    const near = new RedisNearDuplicates({ client, prefix, crawl, clock })
    for (const value of ['x', '1234567']) {
      await client.hset(`${base}:block:0`, '0000', value)
      await assert.rejects(near.findOrAdd(urlOf(1), ZERO), /:near:news:block:0" holds something that this version/)
    }
    await client.hset(`${base}:block:0`, '0000', Buffer.alloc(6))
    await client.hset(`${base}:originals:0`, Buffer.alloc(8), 'what')
    await assert.rejects(near.findOrAdd(urlOf(1), ZERO), /:near:news:originals:0" holds something that this version/)
    await client.set(`${base}:block:1`, 'x')
    await assert.rejects(near.findOrAdd(urlOf(1), 'f'.repeat(16)), /holds something that this version/)
    assert.deepEqual((await client.keys(`${base}:*`)).length, 3)
  })
})

test('an original takes little memory', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const client = await connectTo(t, engine.url)
  const near = new RedisNearDuplicates({ client, prefix: 'orbweaver', crawl, clock, staysMs: 20 })
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))![1])
  const before = await used()
  const chance = randomFrom(3)
  const total = 4000
  for (let i = 0; i < total; i += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => near.findOrAdd(urlOf(`${'p'.repeat(40)}/${i + n}`), someHash(chance))),
    )
  // What was admitted lately stands in a second place for a moment.
  for (let i = 0; i < 6; i++) {
    await clock.sleep(25)
    await near.findOrAdd(urlOf(`later/${i}`), someHash(chance))
  }
  const bytes = Math.round(((await used()) - before) / total)
  t.diagnostic(`${bytes} bytes of Redis for an original among ${total}, URLs of 63 characters`)
  assert.ok(bytes < 1000, `${bytes} bytes`)
})

test('an engine that is killed and comes back is waited for', async (t) => {
  await using engine = await ownEngine(t, () => startRedis({ appendOnly: true }))
  if (!engine) return
  const near = new RedisNearDuplicates({ client: await connectTo(t, engine.url), prefix: somePrefix(), crawl, clock })
  const simhashes = Array.from({ length: 60 }, (_, i) => crowded(i))
  for (const [i, simhash] of simhashes.entries()) {
    const asked = near.findOrAdd(urlOf(i), simhash)
    if (i === 30) await engine.kill().then(() => engine.restart())
    assert.equal(await asked, undefined)
  }
  for (const [i, simhash] of simhashes.entries()) assert.equal(await near.findOrAdd(urlOf(`b${i}`), simhash), urlOf(i))
})

test('originals that are spread are told again to an engine that has forgotten them', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const prefix = somePrefix()
  const looking = new Courier({ client: await connectTo(t, engine.url) })
  const buckets = new NearBuckets(`${prefix}:near:${crawl}`, (orders) => looking.askAll(orders, 'bytes'))
  const inBuckets = async (simhashes: readonly string[]) => {
    for (let times = 0; times < 100; times++) {
      const found = await buckets.near(simhashes.map((simhash) => fingerprintOf(simhash)!))
      if (found.every((near) => near.length > 0)) return found.map(([first]) => first!.url)
      await clock.sleep(50)
    }
    return []
  }
  const client = await connectTo(t, engine.url)
  const near = new RedisNearDuplicates({ client, courier: spread(client), prefix, crawl, clock })
  const simhashes = Array.from({ length: 120 }, (_, i) => crowded(i))
  for (const [i, simhash] of simhashes.entries()) assert.equal(await near.findOrAdd(urlOf(i), simhash), undefined)
  await inBuckets(simhashes)
  await engine.kill()
  await engine.restart()
  assert.equal(await near.findOrAdd(urlOf('other'), ZERO), undefined)
  assert.deepEqual(
    await inBuckets(simhashes),
    simhashes.map((_, i) => urlOf(i)),
  )
  const another = new RedisNearDuplicates({ client, courier: spread(client), prefix, crawl, clock })
  assert.equal(await another.findOrAdd(urlOf('copy'), flipped(crowded(7), [1])), urlOf(7))
})

/** As it is in a Cluster, also where there is none. */
const spread = (client: RedisClient): Courier => Object.assign(new Courier({ client }), { mayJoinKeys: false })

/** What is sent to different nodes at the same moment arrives in any order. */
function late(client: RedisClient, chance: () => number): RedisClient {
  return withExec(client, async (send) => {
    await clock.sleep(chance() * 6)
    return send()
  })
}

type Exec = ReturnType<RedisClient['pipeline']>['exec']

function withExec(client: RedisClient, exec: (send: Exec) => ReturnType<Exec>): RedisClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'pipeline') return typeof value === 'function' ? value.bind(target) : value
      return () => {
        const pipeline = target.pipeline()
        const send = pipeline.exec.bind(pipeline)
        pipeline.exec = () => exec(send)
        return pipeline
      }
    },
  })
}

function urlOf(name: number | string): CanonicalUrl {
  return `https://a.test/${name}` as CanonicalUrl
}

function flipped(simhash: string, bits: readonly number[]): string {
  const value = bits.reduce((sum, bit) => sum ^ (1n << BigInt(bit)), BigInt(`0x${simhash}`))
  return value.toString(16).padStart(16, '0')
}

/** All share the first block; the others are spread so that no two are near. */
function crowded(i: number): string {
  const block = (factor: number) => (Math.imul(i + 1, factor) >>> 16).toString(16).padStart(4, '0')
  return `cafe${block(0x9e3779b1)}${block(0x85ebca6b)}${block(0xc2b2ae35)}`
}

function someHash(chance: () => number): string {
  return Array.from({ length: 4 }, () =>
    Math.floor(chance() * 0x10000)
      .toString(16)
      .padStart(4, '0'),
  ).join('')
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
