import { Bell } from '../../bell.ts'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Kafka, kafkaSentence } from './connect.ts'
import { Errand } from './errand.ts'
import { mayPass } from './faults.ts'
import { FetchLoop } from './fetch-loop.ts'
import { GroupMember } from './group-member.ts'
import { type Lag, readLag } from './lag.ts'
import { Lane, type Taken } from './lane.ts'
import { patiently } from './patience.ts'
import { Trimmer } from './trimmer.ts'

export interface GroupReaderOptions {
  readonly kafka: Kafka
  readonly group: string
  /** The topics to read, with the partitions that each of them has. */
  readonly partitions: ReadonlyMap<string, number>
  readonly clock: Clock
}

/**
 * Reads topics as a member of a consumer group: hands out letters in the order of their partition, and commits what was
 * handled. Every letter is handled at least once, by whoever owns its partition; after a death it may be twice. Memory
 * is bounded: a partition that is not taken from is not fetched any more.
 */
export class GroupReader implements AsyncDisposable {
  readonly #options: GroupReaderOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #closing = new AbortController()
  readonly #bell = new Bell()
  readonly #seating = new Errand(() => this.#untilItWorks(() => this.#seat()))
  readonly #committing = new Errand(() => this.#untilItWorks(() => this.#commit()))
  readonly #member: GroupMember
  readonly #fetching: FetchLoop
  readonly #trimmer: Trimmer
  #failure: Error | undefined
  #turn = 0

  static async open(options: GroupReaderOptions): Promise<GroupReader> {
    const reader = new GroupReader(options)
    try {
      await reader.#member.join()
      await reader.#seating.ask()
      return reader
    } catch (error) {
      await reader[Symbol.asyncDispose]()
      throw new UsageError(kafkaSentence(options.kafka.config, error), { cause: error })
    }
  }

  private constructor(options: GroupReaderOptions) {
    const { kafka, group, partitions, clock } = options
    const shared = { kafka, group, clock, topics: [...partitions.keys()], onFailure: this.#fail.bind(this) }
    this.#options = options
    this.#trimmer = new Trimmer(kafka)
    this.#member = new GroupMember({ ...shared, onChange: () => this.#change() })
    this.#fetching = new FetchLoop({
      ...shared,
      lanes: () => [...this.#ours()],
      onFetched: () => this.#bell.ring(),
    })
  }

  /** The partitions of a topic that are ours now. */
  owned(topic: string): readonly number[] {
    return this.#member.owned(topic)
  }

  /** Letters of a topic that can be taken at once. */
  waiting(topic: string): number {
    let sum = 0
    for (const lane of this.#ours()) if (lane.topic === topic) sum += lane.waiting
    return sum
  }

  /** Up to `max` letters of a topic, of all its partitions in turn. */
  take(topic: string, max: number): Taken[] {
    const lanes = [...this.#ours()].filter((lane) => lane.topic === topic && lane.waiting > 0)
    const taken: Taken[] = []
    for (let n = 0; n < lanes.length && taken.length < max; n++) {
      const lane = lanes[(this.#turn + n) % lanes.length]!
      taken.push(...lane.take(Math.ceil((max - taken.length) / (lanes.length - n))))
    }
    this.#turn++
    if (taken.length > 0) this.#fetching.look()
    return taken
  }

  /** These were handled: they are committed as soon as all before them were, unless their partition has gone. */
  handled(taken: readonly Taken[]): void {
    for (const { lane, offset } of taken) lane.handled(offset)
    void this.#committing.ask()
  }

  /** Resolves when there may be something to take. Rejects when there never will be. */
  async changed(signal: AbortSignal): Promise<void> {
    if (!this.#failure) await this.#bell.heard(signal)
    if (this.#failure) throw this.#failure
  }

  async lag(): Promise<Lag> {
    const { consumer } = this.#member
    const { waiting, put, committed } = await readLag({ ...this.#options, consumer })
    // A commit of a former owner that came late may have put the group back: nobody but us would set it right.
    for (const lane of this.#ours()) {
      const known = committed.get(lane.topic)?.[lane.partition] ?? -1n
      if (known < lane.committed) lane.committed = known
    }
    void this.#committing.ask()
    return { waiting, put }
  }

  /** Commits what was handled and leaves the group. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.#bell.ring()
    await this.#fetching.close()
    await this.#committing.idle()
    await this.#member[Symbol.asyncDispose]()
  }

  #change(): void {
    this.#dropLost()
    void this.#seating.ask()
  }

  #ours(): Iterable<Lane> {
    return this.#member.isSilent ? [] : this.#lanes.values()
  }

  /** At once, so that nothing is handed out of a partition that may be another's in a moment. */
  #dropLost(): void {
    const owned = new Map([...this.#options.partitions.keys()].map((topic) => [topic, new Set(this.owned(topic))]))
    for (const [key, { topic, partition }] of this.#lanes)
      if (!owned.get(topic)?.has(partition)) this.#lanes.delete(key)
  }

  /** The brokers may be away, or a rebalance under way. The fetch loop and the membership tell when that lasts too long. */
  async #untilItWorks(act: () => Promise<void>): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#closing
    try {
      await patiently(act, { clock, patienceMs: Number.POSITIVE_INFINITY, mayPass, signal })
    } catch (error) {
      if (!signal.aborted) this.#fail(error)
    }
  }

  async #seat(): Promise<void> {
    await this.#seatFresh()
    this.#dropLost()
    void this.#committing.ask()
    this.#fetching.look()
    this.#bell.ring()
  }

  /** Takes new partitions up where the group left them. */
  async #seatFresh(): Promise<void> {
    const { consumer } = this.#member
    const owned = [...this.#options.partitions.keys()].map((topic) => ({ topic, partitions: [...this.owned(topic)] }))
    const fresh = owned
      .map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.filter((number) => !this.#lanes.has(keyOf(topic, number))),
      }))
      .filter(({ partitions }) => partitions.length > 0)
    if (fresh.length === 0) return
    const committed = await consumer.listCommittedOffsets({ topics: fresh })
    const earliest = await consumer.listOffsets({ topics: fresh.map(({ topic }) => topic), timestamp: -2n })
    for (const { topic, partitions } of fresh)
      for (const number of partitions) {
        const known = committed.get(topic)?.[number] ?? -1n
        const first = earliest.get(topic)?.[number] ?? 0n
        this.#lanes.set(keyOf(topic, number), new Lane(topic, number, first, known))
      }
  }

  async #commit(): Promise<void> {
    const lanes = [...this.#ours()].filter(({ mayCommit }) => mayCommit)
    if (lanes.length === 0) return
    const offsets = lanes.map(({ topic, partition, committable: offset }) => ({
      topic,
      partition,
      offset,
      leaderEpoch: -1,
    }))
    await this.#member.consumer.commit({ offsets })
    for (const [index, lane] of lanes.entries()) lane.committed = offsets[index]!.offset
    await this.#trimmer.trim(lanes)
  }

  #fail(error: unknown): void {
    this.#failure ??= new Error(kafkaSentence(this.#options.kafka.config, error), { cause: error })
    this.#bell.ring()
  }
}

const keyOf = (topic: string, partition: number) => `${topic}:${partition}`
