import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { cachingResolver } from './caching-resolver.ts'
import { dnsConfig } from './config.ts'
import type { NameHints } from './name-hints.ts'
import type { Resolution, Resolver } from './resolver.ts'

const config = { ...dnsConfig.parse({}), minTtlMs: 10_000, maxTtlMs: 1_000_000, hotAfter: 3 }

/** A clock that moves only when told to. */
function manualClock(): Clock & { pass(ms: number): Promise<void> } {
  let now = 0
  const sleepers = new Set<{ until: number; wake: () => void }>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => resolve())
      }),
    async pass(ms) {
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, now + 1000)
        for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake()
        await turn()
      }
    },
  }
}

/** Answers what the test says, when the test says so. */
function scriptedResolver(answer: (host: string) => Resolution | Promise<Resolution>) {
  const asked: string[] = []
  const resolver: Resolver = {
    async resolve(host) {
      asked.push(host)
      return answer(host)
    },
    async [Symbol.asyncDispose]() {},
  }
  return { asked, resolver }
}

const found = (ttlMs: number, address = '192.0.2.1'): Resolution => ({
  kind: 'resolved',
  addresses: [{ address, family: 4 }],
  ttlMs,
})

describe('caching resolver', () => {
  test('an answer is kept for its lifetime and asked for again after it', async () => {
    const clock = manualClock()
    const { asked, resolver } = scriptedResolver(() => found(60_000))
    await using cached = cachingResolver(resolver, clock, config)
    await cached.resolve('a.test')
    await clock.pass(59_000)
    await cached.resolve('A.test')
    assert.equal(asked.length, 1)
    await clock.pass(1000)
    await cached.resolve('a.test')
    assert.equal(asked.length, 2)
  })

  test('lifetimes are held between the smallest and the largest allowed', async () => {
    const clock = manualClock()
    const { asked, resolver } = scriptedResolver((host) => found(host === 'short.test' ? 0 : Number.MAX_SAFE_INTEGER))
    await using cached = cachingResolver(resolver, clock, config)
    await cached.resolve('short.test')
    await clock.pass(9000)
    await cached.resolve('short.test')
    assert.equal(asked.length, 1)
    await cached.resolve('long.test')
    await clock.pass(1_000_000)
    await cached.resolve('long.test')
    assert.deepEqual(asked, ['short.test', 'long.test', 'long.test'])
  })

  test('a name that does not exist is remembered for its own lifetime, a failure only shortly', async () => {
    const clock = manualClock()
    const { asked, resolver } = scriptedResolver((host) =>
      host === 'gone.test'
        ? { kind: 'not-found', detail: '', ttlMs: 300_000 }
        : { kind: 'failed', detail: '', ttlMs: 5000 },
    )
    await using cached = cachingResolver(resolver, clock, config)
    const askBoth = async () => [(await cached.resolve('gone.test')).kind, (await cached.resolve('broken.test')).kind]
    assert.deepEqual(await askBoth(), ['not-found', 'failed'])
    assert.deepEqual(await askBoth(), ['not-found', 'failed'])
    assert.equal(asked.length, 2)
    await clock.pass(5000)
    await askBoth()
    assert.deepEqual(asked, ['gone.test', 'broken.test', 'broken.test'])
  })

  test('equal questions at the same time are asked once', async () => {
    const answer = Promise.withResolvers<Resolution>()
    const { asked, resolver } = scriptedResolver(() => answer.promise)
    await using cached = cachingResolver(resolver, manualClock(), config)
    const all = Promise.all(Array.from({ length: 50 }, () => cached.resolve('a.test')))
    answer.resolve(found(60_000))
    assert.equal(new Set((await all).map(({ kind }) => kind)).size, 1)
    assert.equal(asked.length, 1)
  })

  test('a hot name is renewed in the background before it expires, so that nobody waits for it', async () => {
    const clock = manualClock()
    let address = '192.0.2.1'
    const { asked, resolver } = scriptedResolver(() => found(100_000, address))
    await using cached = cachingResolver(resolver, clock, config)
    for (let i = 0; i < 3; i++) await cached.resolve('hot.test')
    await clock.pass(79_000)
    assert.equal(asked.length, 1)
    address = '192.0.2.2'
    await clock.pass(2000)
    assert.equal(asked.length, 2)
    await clock.pass(40_000)
    const resolution = await cached.resolve('hot.test')
    assert.equal(asked.length, 2)
    assert.equal(resolution.kind === 'resolved' && resolution.addresses[0]?.address, '192.0.2.2')
  })

  test('a name that has cooled down is left to expire', async () => {
    const clock = manualClock()
    const { asked, resolver } = scriptedResolver(() => found(100_000))
    await using cached = cachingResolver(resolver, clock, config)
    for (let i = 0; i < 3; i++) await cached.resolve('hot.test')
    await clock.pass(1_000_000)
    assert.equal(asked.length, 2)
  })

  test('a renewal that fails takes nothing away from an answer that is still good', async () => {
    const clock = manualClock()
    let broken = false
    const { resolver } = scriptedResolver(() =>
      broken ? { kind: 'failed', detail: 'no server answers', ttlMs: 5000 } : found(100_000),
    )
    await using cached = cachingResolver(resolver, clock, config)
    for (let i = 0; i < 3; i++) await cached.resolve('hot.test')
    broken = true
    await clock.pass(95_000)
    assert.equal((await cached.resolve('hot.test')).kind, 'resolved')
    await clock.pass(6000)
    assert.equal((await cached.resolve('hot.test')).kind, 'failed')
  })

  test('the longest unused names are forgotten first when there are too many', async () => {
    const { asked, resolver } = scriptedResolver(() => found(60_000))
    await using cached = cachingResolver(resolver, manualClock(), { ...config, maxNames: 2 })
    for (const host of ['a.test', 'b.test', 'a.test', 'c.test', 'a.test', 'b.test']) await cached.resolve(host)
    assert.deepEqual(asked, ['a.test', 'b.test', 'c.test', 'b.test'])
  })

  test('no more look-ups run at once than allowed, and all of them get their turn', async () => {
    let underWay = 0
    let most = 0
    const { resolver } = scriptedResolver(async () => {
      most = Math.max(most, ++underWay)
      await turn()
      underWay--
      return found(60_000)
    })
    await using cached = cachingResolver(resolver, manualClock(), { ...config, maxLookups: 3 })
    await Promise.all(Array.from({ length: 20 }, (_, i) => cached.resolve(`host-${i}.test`)))
    assert.equal(most, 3)
  })

  test('what others know is asked for before the name server, what is learned is told, and renewals ask the server', async () => {
    const clock = manualClock()
    const told: string[] = []
    const hints: NameHints = {
      get: async (name) => (name === 'known.test' ? found(50_000) : undefined),
      put: (name, { kind }) => void told.push(`${name} ${kind}`),
    }
    const { asked, resolver } = scriptedResolver(() => found(100_000))
    await using cached = cachingResolver(resolver, clock, config, hints)
    assert.equal((await cached.resolve('known.test')).ttlMs, 50_000)
    await cached.resolve('new.test')
    assert.deepEqual([asked, told], [['new.test'], ['new.test resolved']])
    for (let i = 0; i < 3; i++) await cached.resolve('known.test')
    await clock.pass(45_000)
    assert.deepEqual(asked, ['new.test', 'known.test'])
  })
})
