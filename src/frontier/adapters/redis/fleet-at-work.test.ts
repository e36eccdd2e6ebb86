import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineFor } from '../../../../test/engines.ts'
import { type Random, random } from '../../../../test/web/random.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate, HostLease, Settled } from '../../frontier.ts'
import { audit } from './audit.fixture.ts'
import { RedisFrontier, type RedisFrontierOptions } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const engine = engineFor('redis')
const workers = 4
const steps = 120
const leaseMs = 60_000

/** Workers that do as chance tells them, each with a connection of its own, and die without a word. */
class RandomFleet {
  readonly #options: readonly RedisFrontierOptions[]
  readonly #time: { now: number }
  readonly #chance: Random
  readonly #frontiers: RedisFrontier[]
  readonly #leases: Map<HostLease, CanonicalUrl[]>[]
  /** Who holds a host, as far as its lease goes. */
  readonly #holders = new Map<HostKey, { lease: HostLease; until: number }>()
  readonly #touchedAt = new Map<HostKey, number>()
  readonly offered = new Set<CanonicalUrl>()
  readonly ended = new Map<CanonicalUrl, 'done' | 'dead'>()
  /** How often a URL came to its end, less how often it was made to wait again. */
  readonly endings = new Map<CanonicalUrl, number>()
  readonly sums = { done: 0, dead: 0 }

  constructor(options: readonly RedisFrontierOptions[], time: { now: number }, seed: number) {
    this.#options = options
    this.#time = time
    this.#chance = random('fleet', seed)
    this.#frontiers = options.map((one) => new RedisFrontier(one))
    this.#leases = options.map(() => new Map())
  }

  async step(): Promise<void> {
    await Promise.all(this.#frontiers.map((_, worker) => this.#act(worker)))
    for (const [url, times] of this.endings) assert.ok(times <= 1, `${url} was handed out after its end`)
    if (this.#below(4) === 0) this.#time.now += this.#below(8) === 0 ? leaseMs : this.#below(1500)
  }

  /** Works on, without further deaths, until nothing is left. */
  async finish(): Promise<void> {
    for (let round = 0; !(await this.#frontiers[0]!.finished()); round++) {
      for (const [worker] of this.#frontiers.entries()) {
        await this.#lease(worker)
        for (const lease of [...this.#leases[worker]!.keys()]) {
          await this.#settle(worker, lease, true)
          await this.#release(worker, lease)
        }
      }
      this.#time.now += 30_000
      assert.ok(round < 300, JSON.stringify(await this.#frontiers[0]!.counts()))
    }
  }

  get frontier(): RedisFrontier {
    return this.#frontiers[0]!
  }

  async #act(worker: number): Promise<void> {
    const [lease] = this.#leases[worker]!.keys()
    switch (this.#below(10)) {
      case 0:
      case 1:
        return this.#offer(worker)
      case 2:
      case 3:
        return this.#lease(worker)
      case 4:
      case 5:
        return lease && this.#settle(worker, lease, false)
      case 6:
        return lease && this.#renew(worker, lease)
      case 7:
        return lease && this.#release(worker, lease)
      case 8:
        return this.#revisit(worker)
      default:
        if (this.#below(4) === 0) this.#die(worker)
    }
  }

  #candidate(url: CanonicalUrl): Candidate {
    const band = (['high', 'medium', 'low'] as const)[this.#below(3)]!
    return { url, host: new URL(url).host as HostKey, band, depth: 1, parent: null, redirects: 0 }
  }

  /** Of some that have ended and some that have not, as often as not while others ask the same. */
  async #revisit(worker: number): Promise<void> {
    const urls = [...this.offered].filter(() => this.#below(20) === 0)
    const answers = await this.#frontiers[worker]!.revisit(urls.map((url) => this.#candidate(url)))
    for (const [at, url] of urls.entries()) if (answers[at] === 'queued') this.#ends(url, -1)
  }

  #ends(url: CanonicalUrl, by: 1 | -1): void {
    this.endings.set(url, (this.endings.get(url) ?? 0) + by)
  }

  async #offer(worker: number): Promise<void> {
    const candidates = Array.from({ length: 1 + this.#below(12) }, () =>
      this.#candidate(`https://host-${this.#below(30)}.test/${this.#below(40)}` as CanonicalUrl),
    )
    for (const { url } of candidates) this.offered.add(url)
    await this.#frontiers[worker]!.offer(candidates)
  }

  async #lease(worker: number): Promise<void> {
    const askedAt = this.#time.now
    const { leases } = await this.#frontiers[worker]!.lease(1 + this.#below(4), 1 + this.#below(5))
    for (const lease of leases) {
      const held = this.#holders.get(lease.host)
      assert.ok(!held || held.until <= this.#time.now, `${lease.host} is held twice`)
      assert.ok(!held || held.lease.generation < lease.generation)
      const touchAt = askedAt + lease.waitMs
      const last = this.#touchedAt.get(lease.host)
      assert.ok(last === undefined || touchAt >= last + 1000, `${lease.host} is touched too soon`)
      this.#touchedAt.set(lease.host, touchAt)
      this.#holders.set(lease.host, { lease, until: lease.expiresAt })
      this.#leases[worker]!.set(
        lease,
        lease.requests.map(({ url }) => url),
      )
    }
  }

  async #renew(worker: number, lease: HostLease): Promise<void> {
    const renewed = await this.#frontiers[worker]!.renew(lease, this.#below(4))
    if (renewed === 'lease-lost') return void this.#leases[worker]!.delete(lease)
    this.#holders.set(lease.host, { lease, until: renewed.expiresAt })
    this.#leases[worker]!.get(lease)!.push(...renewed.requests.map(({ url }) => url))
  }

  async #settle(worker: number, lease: HostLease, forGood: boolean): Promise<void> {
    const open = this.#leases[worker]!.get(lease)!
    const urls = open.splice(0, forGood ? open.length : 1 + this.#below(3))
    const visits = urls.map((url): Settled => {
      const fate = forGood ? 0 : this.#below(6)
      if (fate === 5) return { url, kind: 'retry', afterMs: this.#below(5000), reason: 'reset' }
      if (fate === 4) return { url, kind: 'dead', reason: 'gone', adds: { dead: 1 } }
      return { url, kind: 'done', nearDuplicate: this.#below(2) === 0, adds: { pages: 1 } }
    })
    if ((await this.#frontiers[worker]!.settle(lease, visits)) === 'lease-lost')
      return void this.#leases[worker]!.delete(lease)
    for (const { url, kind } of visits) {
      if (kind !== 'done' && kind !== 'dead') continue
      this.#ends(url, 1)
      this.ended.set(url, kind)
      this.sums[kind]++
    }
  }

  async #release(worker: number, lease: HostLease): Promise<void> {
    const touchedAt = this.#touchedAt.get(lease.host)!
    const touchedMsAgo = Math.max(0, this.#time.now - touchedAt)
    // From the moment the engine has it, another worker may hold the host, and may hear of it sooner than we do.
    if (this.#holders.get(lease.host)?.lease === lease) this.#holders.delete(lease.host)
    this.#leases[worker]!.delete(lease)
    await this.#frontiers[worker]!.release(lease, { touchedMsAgo, pace: lease.pace })
  }

  #die(worker: number): void {
    this.#frontiers[worker] = new RedisFrontier(this.#options[worker]!)
    this.#leases[worker] = new Map()
  }

  #below(limit: number): number {
    return this.#chance.below(limit)
  }
}

for (const seed of [1, 2, 3])
  test(`workers come, work and die as chance ${seed} will have it: nothing is lost, held twice or counted wrong`, {
    skip: engine.skip ?? false,
  }, async () => {
    const clients = await Promise.all(Array.from({ length: workers }, () => connectForTest(engine.url!)))
    try {
      const { options, time } = await testFleet(clients[0]!, 3)
      const fleet = new RandomFleet(
        clients.map((client) => ({ ...options, client })),
        time,
        seed,
      )
      for (let n = 0; n < steps; n++) {
        await fleet.step()
        await audit(options)
      }
      await fleet.finish()
      await audit(options)
      assert.deepEqual(new Set(fleet.ended.keys()), fleet.offered)
      assert.ok([...fleet.endings.values()].every((times) => times === 1))
      const kinds = [...fleet.ended.values()]
      const { done, dead, admitted } = await fleet.frontier.counts()
      const ends = {
        done: kinds.filter((kind) => kind === 'done').length,
        dead: kinds.filter((kind) => kind === 'dead').length,
      }
      assert.deepEqual({ done, dead, admitted }, { ...ends, admitted: fleet.offered.size })
      const { pages = 0, dead: given = 0 } = await fleet.frontier.sums()
      assert.deepEqual([pages, given], [fleet.sums.done, fleet.sums.dead])
    } finally {
      for (const client of clients) client.disconnect()
    }
  })
