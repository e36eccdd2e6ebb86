import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { FrontierConfig } from '../../config.ts'
import type {
  Admission,
  Candidate,
  Frontier,
  FrontierCounts,
  Hold,
  HostLease,
  HostReport,
  LeaseAnswer,
  Readmission,
  Settled,
  Sums,
} from '../../frontier.ts'
import { unpackEntry } from './entry.ts'
import { LeaseSearch } from './lease-search.ts'
import { Offers } from './offers.ts'
import { revisitIn } from './revisits.ts'
import { type FrontierScripts, loadScripts } from './scripts.ts'
import { Settling } from './settling.ts'
import { ShardCalls } from './shard-calls.ts'
import { ShardHints } from './shard-hints.ts'
import { abandonIn, countsOf, leasedIn, openIn, sumsOf } from './whole-crawl.ts'

export interface RedisFrontierOptions {
  readonly client: RedisClient
  /** Shared by all who use this client. Left out: one of its own. */
  readonly courier?: Courier
  readonly shards: Shards
  /** Frontier and counts belong to a crawl; hosts, with who holds them and how hard they may be touched, to the fleet. */
  readonly crawl: string
  readonly config: FrontierConfig
  readonly clock: Clock
  readonly fingerprint: (url: string) => number
  readonly initialPace: (host: HostKey) => Pace
  /** Lease only from these. Left out: from all. */
  readonly ownedShards?: () => readonly number[]
  /**
   * Whether a shard is this worker's to serve, by what it knows now: hosts of others are left to them while they come for
   * them, and handed back with the batch that was begun. Left out: all are, and whoever comes first is served.
   */
  readonly isNear?: (shard: number) => boolean
  /** How long the engine may be away before the crawl stops, where the courier is its own. */
  readonly patienceMs?: number
  /** How far ahead of its time a host may be leased, with the wait: so that its allowance is used across hand-overs. */
  readonly aheadMs?: number
  /** How long an engine that restarted or took over grants no lease, since it may have forgotten some: a lease's time. */
  readonly holdBackMs?: number
  /**
   * URLs that the engine has confirmed lately and that this worker takes for known without asking (8 bytes each). 0: for
   * whoever looks for URLs that the engine may have forgotten.
   */
  readonly recentUrls?: number
  /** For tests: the time by which scripts act, in place of the engine's own. */
  readonly engineTime?: () => number
}

/**
 * The frontier of a fleet, in Redis or Valkey. All that decides is done by scripts in the shard of a host, each atomic
 * and each repeatable; the worker keeps nothing but what saves it from asking. Memory and keys: see docs/redis.md.
 */
export class RedisFrontier implements Frontier {
  readonly #options: RedisFrontierOptions
  readonly #courier: Courier
  readonly #stopListening: () => void
  readonly #scripts: FrontierScripts
  readonly #calls: ShardCalls
  readonly #hints: ShardHints
  readonly #search: LeaseSearch
  readonly #offers: Offers
  readonly #settling: Settling
  /** Those that this worker holds, to hand them back when it leaves. */
  readonly #held = new Map<HostKey, HostLease>()
  /** Those of them that URLs have come to since they were last asked for some. */
  readonly #news = new Set<HostKey>()
  /** Those that whoever is nearer had not come for. */
  readonly #borrowed = new Set<HostKey>()
  readonly #home: number
  #openShard: number | undefined
  #leasedShard: number | undefined

  constructor(options: RedisFrontierOptions) {
    const { client, shards, crawl, clock, config, engineTime, patienceMs } = options
    this.#options = options
    this.#scripts = loadScripts()
    this.#courier = options.courier ?? new Courier({ client, ...(patienceMs !== undefined && { patienceMs }) })
    this.#stopListening = this.#courier.onNewEngine(() => {
      this.#offers.doubt()
      this.#hints.doubt()
    })
    this.#calls = new ShardCalls({ courier: this.#courier, shards, crawl, engineTime })
    this.#home = Math.floor(Math.random() * shards.count)
    const { aheadMs = 50, holdBackMs = config.leaseMs, ownedShards, initialPace } = options
    this.#hints = new ShardHints(shards.count, { start: this.#home, aheadMs, isNear: options.isNear })
    this.#search = new LeaseSearch({
      ...{ calls: this.#calls, hints: this.#hints, scripts: this.#scripts, config, clock },
      ...{ aheadMs, holdBackMs, ownedShards, initialPace },
    })
    const { recentUrls = 1 << 18 } = options
    this.#offers = new Offers({
      ...options,
      calls: this.#calls,
      scripts: this.#scripts,
      hints: this.#hints,
      recentUrls,
      onAdmitted: (host) => {
        if (this.#held.has(host)) this.#news.add(host)
      },
    })
    this.#settling = new Settling({ ...options, calls: this.#calls, script: this.#scripts.settle, hints: this.#hints })
  }

  /** Trips to the engine, and scripts that were run. */
  get traffic(): { readonly trips: number; readonly calls: number } {
    return { trips: this.#courier.trips, calls: this.#courier.orders }
  }

  offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    return this.#offers.offer(candidates)
  }

  async lease(maxHosts: number, maxUrls: number): Promise<LeaseAnswer> {
    const answer = await this.#search.run(maxHosts, maxUrls, this.#held.size > 0)
    for (const lease of answer.leases) {
      this.#held.set(lease.host, lease)
      if (!this.#isNear(lease.host)) this.#borrowed.add(lease.host)
    }
    return answer
  }

  #isNear(host: HostKey): boolean {
    const { shards, isNear } = this.#options
    return isNear === undefined || isNear(shards.of(host))
  }

  /** Somebody has come who is nearer to it. */
  #givesWay(host: HostKey): boolean {
    return !this.#isNear(host) && !this.#borrowed.has(host)
  }

  async renew(lease: HostLease, wanted: number): Promise<HostLease | 'lease-lost'> {
    const { shards, clock, config } = this.#options
    const askedAt = clock.now()
    const { host, generation } = lease
    const maxUrls = this.#givesWay(host) ? 0 : wanted
    if (maxUrls > 0) this.#news.delete(host)
    const args = [host, generation, maxUrls, config.leaseMs, ...config.bandWeights]
    const answer = await this.#calls.run(this.#scripts.renew, shards.of(host), args, maxUrls === 0)
    if (answer === null) return this.#lost(lease)
    const requests = (answer as string[]).map((entry) => unpackEntry(entry, host))
    return { ...lease, expiresAt: askedAt + config.leaseMs, waitMs: 0, requests }
  }

  hasNews({ host }: HostLease): boolean {
    return this.#news.has(host)
  }

  async settle(lease: HostLease, visits: readonly Settled[], hold?: Hold): Promise<'settled' | 'lease-lost'> {
    return (await this.#settling.settle(lease, visits, hold)) ? 'settled' : this.#lost(lease)
  }

  async release(lease: HostLease, report: HostReport, orGoOnWith = 0): Promise<'released' | 'lease-lost' | HostLease> {
    this.#news.delete(lease.host)
    const answer = await this.#settling.end(lease, report, this.#givesWay(lease.host) ? 0 : orGoOnWith)
    if (answer === 'lease-lost' || answer === 'released') this.#forget(lease)
    return answer
  }

  async abandon(patienceMs: number): Promise<number> {
    const shards = Array.from({ length: this.#options.shards.count }, (_, shard) => shard)
    const inEach = shards.map((shard) => abandonIn(shard, this.#calls, this.#scripts.abandon, patienceMs))
    return (await Promise.all(inEach)).reduce((sum, of) => sum + of, 0)
  }

  revisit(candidates: readonly Candidate[]): Promise<readonly Readmission[]> {
    return revisitIn(
      { ...this.#options, calls: this.#calls, script: this.#scripts.revisit, hints: this.#hints },
      candidates,
    )
  }

  async revisiting(): Promise<number> {
    return (await countsOf(this.#calls)).revisiting
  }

  async counts(): Promise<FrontierCounts> {
    const { counts, openShard, leasedShard } = await countsOf(this.#calls)
    this.#openShard = openShard
    this.#leasedShard = leasedShard
    return counts
  }

  sums(): Promise<Sums> {
    return sumsOf(this.#calls)
  }

  async add(adds: Sums): Promise<void> {
    // Any shard will do: a worker keeps to one, workers spread.
    await this.#calls.run(this.#scripts.add, this.#home, [JSON.stringify(adds)])
  }

  async underWay(): Promise<number> {
    // Most often something still is where it was: then one shard is asked in place of all.
    const shard = this.#leasedShard
    const leased = shard === undefined ? 0 : await leasedIn(this.#calls, shard)
    return leased > 0 ? leased : (await this.counts()).leased
  }

  /** One reading of many shards is none: a page may hop between them. Two that agree on what was admitted are. */
  async finished(): Promise<boolean> {
    const shard = this.#openShard
    if (shard !== undefined && (await openIn(this.#calls, shard)) > 0) return false
    const first = await this.counts()
    if (first.queued + first.leased > 0) return false
    const second = await this.counts()
    return second.queued + second.leased === 0 && second.admitted === first.admitted
  }

  /**
   * What was answered is in the engine's memory and handed to its append-only file. That reaches the disk each second:
   * what a power cut or a fail-over takes back is found again by whoever compares records with the frontier.
   */
  async sync(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening()
    await this.#offers.settle()
    await Promise.all(
      [...this.#held.values()].map((lease) => this.release(lease, { touchedMsAgo: 0, pace: lease.pace })),
    )
  }

  #lost(lease: HostLease): 'lease-lost' {
    this.#forget(lease)
    return 'lease-lost'
  }

  #forget({ host, generation }: HostLease): void {
    if (this.#held.get(host)?.generation !== generation) return
    this.#held.delete(host)
    this.#news.delete(host)
    this.#borrowed.delete(host)
  }
}
