import type { Clock } from '../../../clock.ts'
import type { Kafka } from '../../../engines/kafka/connect.ts'
import { Outbox } from '../../../engines/kafka/outbox.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { Admission, Candidate } from '../../frontier.ts'
import { encodeCandidate } from './candidate-letter.ts'
import { RecentlyCarried } from './recently-carried.ts'
import { partitionOf } from './shard-owners.ts'
import type { UrlTopics } from './url-topics.ts'

/** Puts candidates on the topic of their band. */
export class Carrier implements AsyncDisposable {
  readonly #topics: UrlTopics
  readonly #shards: Shards
  readonly #outbox: Outbox
  readonly #recent: RecentlyCarried

  constructor(kafka: Kafka, topics: UrlTopics, shards: Shards, clock: Clock) {
    this.#topics = topics
    this.#shards = shards
    this.#outbox = new Outbox(kafka, clock)
    this.#recent = new RecentlyCarried(clock)
  }

  /** Nothing is on its way to the brokers. */
  get isEmpty(): boolean {
    return this.#outbox.isEmpty
  }

  /** Batches that went to the brokers. */
  get batches(): number {
    return this.#outbox.batches
  }

  /** `carried`: every broker that must have it has it. `known`: so it was a moment ago. */
  async carry(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    const fresh = new Map<string, Candidate>()
    const answers = candidates.map((candidate): Admission => {
      if (fresh.has(candidate.url) || this.#recent.has(candidate.url)) return 'known'
      fresh.set(candidate.url, candidate)
      return 'carried'
    })
    await this.#outbox.send([...fresh.values()].map((candidate) => this.#letterFor(candidate)))
    for (const url of fresh.keys()) this.#recent.add(url)
    return answers
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#outbox[Symbol.asyncDispose]()
  }

  #letterFor(candidate: Candidate) {
    const { name, partitions } = this.#topics[candidate.band]
    const partition = partitionOf(this.#shards.of(candidate.host), partitions)
    return { topic: name, partition, key: candidate.host, value: encodeCandidate(candidate) }
  }
}
