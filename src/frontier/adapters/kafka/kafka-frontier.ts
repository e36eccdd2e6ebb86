import type { Consumer } from '@platformatic/kafka'
import type { Clock } from '../../../clock.ts'
import type { Kafka } from '../../../engines/kafka/connect.ts'
import { GroupReader } from '../../../engines/kafka/group-reader.ts'
import { type Lag, readLag } from '../../../engines/kafka/lag.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { HostKey } from '../../../url/keys.ts'
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
import { Admitting } from './admitting.ts'
import { Carrier } from './carrier.ts'
import { shardsOwnedBy } from './shard-owners.ts'
import { ensureUrlTopics, partitionsByName, type UrlTopics, urlGroup } from './url-topics.ts'

export interface KafkaFrontierOptions {
  readonly kafka: Kafka
  readonly crawl: string
  readonly shards: Shards
  readonly clock: Clock
  readonly bandWeights: readonly number[]
  /** Opens the frontier that schedules. It must lease only from the shards that `ownedShards` names. */
  readonly openInner: (ownedShards: () => readonly number[]) => Frontier
  /** Left out or true: this process owns a part of the hosts, admits and leases. False: it only offers and reads. */
  readonly isMember?: boolean
  /** There may be something to lease. */
  readonly onAdmitted?: () => void
}

/**
 * Kafka carries and owns, another frontier schedules. Candidates go to the topic of their band; who owns a partition
 * admits what it carries; who owns the hosts of a shard leases them, and nobody else looks there. That is for peace, not
 * for safety: leases are the scheduling frontier's, so that no host has two holders also while ownership passes on.
 */
export async function openKafkaFrontier(options: KafkaFrontierOptions): Promise<KafkaFrontier> {
  const { kafka, crawl, shards, clock, openInner, isMember = true } = options
  const topics = await ensureUrlTopics(kafka, crawl, clock)
  const partitions = partitionsByName(topics)
  const group = urlGroup(kafka, crawl)
  const reader = isMember ? await GroupReader.open({ kafka, group, partitions, clock }) : undefined
  const owned = () => shardsOwnedBy(reader?.owned(topics.low.name) ?? [], topics.low.partitions, shards.count)
  return new KafkaFrontier({ ...options, topics, group, reader, inner: openInner(owned), owned })
}

interface KafkaFrontierParts extends KafkaFrontierOptions {
  readonly topics: UrlTopics
  readonly group: string
  readonly reader: GroupReader | undefined
  readonly inner: Frontier
  readonly owned: () => readonly number[]
}

export class KafkaFrontier implements Frontier {
  readonly #parts: KafkaFrontierParts
  readonly #inner: Frontier
  readonly #carrier: Carrier
  readonly #admitting: Admitting | undefined
  readonly #observer: Consumer

  constructor(parts: KafkaFrontierParts) {
    const { kafka, group, topics, shards, clock, inner, reader, bandWeights, onAdmitted = () => {} } = parts
    const { plentyUrls } = kafka.config
    this.#parts = parts
    this.#inner = inner
    this.#carrier = new Carrier(kafka, topics, shards, clock)
    this.#observer = kafka.consumer({ groupId: group })
    if (reader) this.#admitting = new Admitting({ reader, topics, inner, bandWeights, plentyUrls, clock, onAdmitted })
  }

  /** The shards whose hosts this process may lease now. */
  get ownedShards(): readonly number[] {
    return this.#parts.owned()
  }

  shardOf(host: HostKey): number {
    return this.#parts.shards.of(host)
  }

  /** Batches of candidates that went to the brokers. */
  get batches(): number {
    return this.#carrier.batches
  }

  offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    return this.#carrier.carry(candidates)
  }

  async lease(maxHosts: number, maxUrls: number): Promise<LeaseAnswer> {
    this.#admitting?.throwFailure()
    const answer = await this.#inner.lease(maxHosts, maxUrls)
    if (this.#admitting) this.#admitting.isHungry = answer.leases.length < maxHosts
    return answer
  }

  /** A host whose shard has passed to another owner gets no further URLs: its lease ends with what it has. */
  renew(lease: HostLease, maxUrls: number): Promise<HostLease | 'lease-lost'> {
    return this.#inner.renew(lease, this.#isOurs(lease) ? maxUrls : 0)
  }

  hasNews(lease: HostLease): boolean {
    return this.#inner.hasNews?.(lease) ?? true
  }

  settle(lease: HostLease, visits: readonly Settled[], hold?: Hold): Promise<'settled' | 'lease-lost'> {
    return this.#inner.settle(lease, visits, hold)
  }

  release(lease: HostLease, report: HostReport, orGoOnWith = 0): Promise<'released' | 'lease-lost' | HostLease> {
    return this.#inner.release(lease, report, this.#isOurs(lease) ? orGoOnWith : 0)
  }

  #isOurs({ host }: HostLease): boolean {
    return this.ownedShards.includes(this.shardOf(host))
  }

  abandon(patienceMs: number): Promise<number> {
    return this.#inner.abandon(patienceMs)
  }

  /** Known URLs need no carrying: whoever owns their shard finds them there. */
  revisit(candidates: readonly Candidate[]): Promise<readonly Readmission[]> {
    return this.#inner.revisit(candidates)
  }

  revisiting(): Promise<number> {
    return this.#inner.revisiting()
  }

  counts(): Promise<FrontierCounts> {
    return this.#inner.counts()
  }

  sums(): Promise<Sums> {
    return this.#inner.sums()
  }

  add(adds: Sums): Promise<void> {
    return this.#inner.add(adds)
  }

  async underWay(): Promise<number> {
    return (await this.#inner.underWay()) + (await this.lag()).waiting
  }

  /**
   * A URL is on a topic or scheduled, at every moment: its page's links are put before the page is settled, and it is
   * admitted before it is acknowledged. So the crawl has ended when no topic held anything, before and after the other
   * frontier had nothing left, and nothing was put in between.
   */
  async finished(): Promise<boolean> {
    this.#admitting?.throwFailure()
    const before = await this.lag()
    if (before.waiting > 0 || !(await this.#inner.finished())) return false
    const after = await this.lag()
    return after.waiting === 0 && after.put === before.put && this.#carrier.isEmpty
  }

  async sync(): Promise<void> {
    await this.#inner.sync()
  }

  /** Candidates that were carried and are not yet admitted. */
  async lag(): Promise<Lag> {
    const { reader, topics } = this.#parts
    if (reader) return await reader.lag()
    const { waiting, put } = await readLag({
      ...this.#parts,
      consumer: this.#observer,
      partitions: partitionsByName(topics),
    })
    return { waiting, put }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#carrier[Symbol.asyncDispose]()
    await this.#admitting?.[Symbol.asyncDispose]()
    await this.#parts.reader?.[Symbol.asyncDispose]()
    await this.#observer.close(true)
    await this.#inner[Symbol.asyncDispose]()
  }
}
