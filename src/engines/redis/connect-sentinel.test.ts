import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Redis } from 'ioredis'
import { ownEngine, type RunningEngine } from '../../../test/engines.ts'
import { audit } from '../../frontier/adapters/redis/audit.fixture.ts'
import { RedisFrontier, type RedisFrontierOptions } from '../../frontier/adapters/redis/redis-frontier.ts'
import { testFleet } from '../../frontier/adapters/redis/test-redis-frontier.ts'
import type { Candidate } from '../../frontier/frontier.ts'
import type { CanonicalUrl, HostKey } from '../../url/keys.ts'
import { makeCertificates } from '../certificates.fixture.ts'
import { type RedisConfig, redisConfig } from './config.ts'
import { connectRedis } from './connect.ts'
import { startWatchedRedis, type WatchedRedis } from './sentinels.fixture.ts'

const hosts = 20
const pages: readonly Candidate[] = Array.from({ length: 2000 }, (_, n) => {
  const host = `host-${n % hosts}.test` as HostKey
  const url = `https://${host}/${n}` as CanonicalUrl
  return { url, host, band: 'medium', depth: 0, parent: null, redirects: 0 }
})

/** A crawl in small: finds pages, leases hosts, visits, settles. What an engine has forgotten is found again. */
class SmallCrawl {
  readonly #frontier: RedisFrontier
  readonly #options: RedisFrontierOptions
  readonly #time: { now: number }
  readonly visits = new Map<string, number>()
  found = 0

  constructor(options: RedisFrontierOptions, time: { now: number }) {
    this.#frontier = new RedisFrontier(options)
    this.#options = options
    this.#time = time
  }

  async step(): Promise<void> {
    await this.#frontier.offer(pages.slice(this.found, this.found + 20))
    this.found = Math.min(this.found + 20, pages.length)
    await this.#visitSome()
  }

  async finish(): Promise<void> {
    while (this.found < pages.length) await this.step()
    await new RedisFrontier({ ...this.#options, recentUrls: 0 }).offer(pages)
    while (!(await this.#frontier.finished())) await this.#visitSome()
  }

  counts() {
    return this.#frontier.counts()
  }

  async #visitSome(): Promise<void> {
    const { leases } = await this.#frontier.lease(hosts, 5)
    // An engine that took over grants no lease until those that it may have forgotten have ended.
    this.#time.now += leases.length === 0 ? 61_000 : 1000
    await Promise.all(
      leases.map(async (lease) => {
        for (const { url } of lease.requests) this.visits.set(url, (this.visits.get(url) ?? 0) + 1)
        await this.#frontier.settle(
          lease,
          lease.requests.map(({ url }) => ({ url, kind: 'done' })),
        )
        await this.#frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
      }),
    )
  }
}

/** A connection that is not made in that time is tried again. */
const limitMs = 1500

/** Crawls, fells the master on the way, and asks whether all adds up. Answers how many pages were visited again. */
async function crawlThrough(t: TestContext, config: RedisConfig, master: RunningEngine, fate: Fate): Promise<number> {
  const client = await connectRedis(config, limitMs)
  t.after(() => client.disconnect())
  const before = await serverOf(client)
  const { options, time } = await testFleet(client, 4)
  const crawl = new SmallCrawl(options, time)
  for (let n = 0; n < 20; n++) await crawl.step()
  await fate.before?.()
  for (let n = 0; n < 5; n++) await crawl.step()
  const rest = crawl.finish()
  process.kill(master.pid, fate.signal)
  await rest
  assert.notEqual(await serverOf(client), before, 'another server has taken over')
  await audit(options)
  const { admitted, done, queued } = await crawl.counts()
  assert.deepEqual({ admitted, done, queued }, { admitted: pages.length, done: pages.length, queued: 0 })
  assert.equal(crawl.visits.size, pages.length)
  return crawl.visits.values().reduce((sum, times) => sum + times - 1, 0)
}

interface Fate {
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  readonly before?: () => Promise<void>
}

/** From now on nothing that the master does reaches the replica. */
async function sever({ master, replica }: WatchedRedis): Promise<void> {
  const [first, second] = [new Redis(master.url), new Redis(replica.url)]
  await second.config('SET', 'masterauth', 'not the password')
  await first.call('CLIENT', 'KILL', 'TYPE', 'replica')
  for (const client of [first, second]) client.disconnect()
}

const serverOf = async (client: Awaited<ReturnType<typeof connectRedis>>) =>
  /run_id:(\w+)/.exec(await client.info('server'))?.[1]

describe('Redis behind Sentinels', { concurrency: true }, () => {
  test('when the master is killed the same client goes on with its replica; what that had not heard of is done again', async (t) => {
    await using redis = await ownEngine(t, () => startWatchedRedis())
    if (!redis) return
    const { sentinels, master } = redis
    await t.test('a master that they do not know is told', async () => {
      await assert.rejects(
        connectRedis(redisConfig.parse({ sentinels, sentinelMaster: 'other' })),
        /^UsageError: Redis at other of the Sentinels .*: the Sentinels know no master "other" \(engines.redis.sentinelMaster\)\.$/,
      )
    })
    // One that does not answer is passed over.
    const config = redisConfig.parse({ sentinels: ['127.0.0.1:1', ...sentinels] })
    const again = await crawlThrough(t, config, master, { signal: 'SIGKILL', before: () => sever(redis) })
    assert.ok(again > 0, 'pages whose settlement the replica had not heard of are visited again')
    assert.ok(again < 500, 'and no others')
  })

  test('with passwords and TLS: a master that falls silent is given up for its replica', async (t) => {
    using certificates = makeCertificates()
    const [password, sentinelPassword] = ['Of-Servers', 'Of-Sentinels']
    await using redis = await ownEngine(t, () => startWatchedRedis({ certificates, password, sentinelPassword }))
    if (!redis) return
    const { sentinels, master } = redis
    const { caFile } = certificates
    const right = { sentinels, password, sentinelPassword, caFile, timeoutMs: 500 }
    const wrong: [changes: object, sentence: RegExp][] = [
      [{ password: 'guess' }, /it refuses user or password \(engines.redis.user, .password/],
      [{ sentinelPassword: 'guess' }, /it refuses user or password \(engines.redis.sentinelUser, .sentinelPassword/],
      [{ sentinelPassword: '' }, /it wants a password \(engines.redis.sentinelPassword or/],
      [{ caFile: certificates.strangeCaFile }, /no Sentinel can be asked: its certificate is not trusted \(.*caFile\)/],
      [{ caFile: '' }, /no Sentinel can be asked: it broke the connection off: it may want TLS \(engines.redis.tls/],
      [{ sentinelPasswordFile: '/nowhere' }, /^UsageError: engines.redis.sentinelPasswordFile cannot be read/],
    ]
    for (const [changes, sentence] of wrong)
      await assert.rejects(connectRedis(redisConfig.parse({ ...right, ...changes })), (error) => {
        assert.match(String(error), sentence)
        return true
      })
    await crawlThrough(t, redisConfig.parse(right), master, { signal: 'SIGSTOP' })
  })
})
