import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Consumer } from '@platformatic/kafka'
import type { Clock } from '../../clock.ts'
import type { Kafka } from './connect.ts'
import { Errand } from './errand.ts'
import { hasApiId, mayPass } from './faults.ts'
import type { Lane, Letter } from './lane.ts'
import { backOffMs } from './patience.ts'

export interface FetchLoopOptions {
  readonly kafka: Kafka
  readonly group: string
  readonly topics: readonly string[]
  readonly clock: Clock
  /** Those that may be fetched from now. */
  readonly lanes: () => readonly Lane[]
  readonly onFetched: () => void
  /** The brokers were away for longer than our patience, or refuse us. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Keeps lanes filled: one request at a time to each broker, answered as soon as there is something. It has connections
 * of its own, since a broker answers the requests of one connection in turn, and heartbeats must not wait.
 */
export class FetchLoop {
  readonly #options: FetchLoopOptions
  readonly #consumer: Consumer
  readonly #underWay = new Map<number, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #looking = new Errand(() => this.#look())
  #failures = 0
  #failingSince = 0

  constructor(options: FetchLoopOptions) {
    this.#options = options
    this.#consumer = options.kafka.consumer({ groupId: options.group, isolationLevel: 0 })
    this.#consumer.topics.trackAll(...options.topics)
  }

  /** Lanes may have room, or be others. */
  look(): void {
    void this.#looking.ask()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#looking.idle()
    // Closing ends the connections, and with them the requests that wait for something new.
    await this.#consumer.close(true)
    await Promise.all(this.#underWay.values())
  }

  async #look(): Promise<void> {
    // Not at once: whoever asks is often about to ask again.
    await nextTurn()
    if (this.#closing.signal.aborted) return
    const lanes = this.#options.lanes().filter(({ waiting }) => waiting < enoughLetters)
    if (lanes.length === 0) return
    try {
      const { topics } = await this.#consumer.metadata({ topics: [...this.#options.topics] })
      const idOf = (topic: string) => topics.get(topic)?.id ?? ''
      const leaderOf = ({ topic, partition }: Lane) => topics.get(topic)?.partitions[partition]?.leader ?? leaderless
      for (const [node, led] of Map.groupBy(lanes, leaderOf))
        if (!this.#underWay.has(node) && !this.#closing.signal.aborted)
          this.#underWay.set(node, this.#fetchFrom(node, led, idOf))
    } catch (error) {
      await this.#backOff(error)
    }
  }

  async #fetchFrom(node: number, lanes: readonly Lane[], idOf: (topic: string) => string): Promise<void> {
    try {
      const response = await this.#consumer.fetch({
        node,
        topics: lanes.map((lane) => ({ topicId: idOf(lane.topic), partitions: [requestFor(lane)] })),
        maxWaitTime: longPollMs,
        minBytes: 1,
        maxBytes: answerBytes,
      })
      this.#failures = 0
      if (deliver(response, lanes, idOf)) this.#options.onFetched()
    } catch (error) {
      if (hasApiId(error, 'OFFSET_OUT_OF_RANGE')) await this.#beginAgain(lanes, error)
      else await this.#backOff(error)
    } finally {
      this.#underWay.delete(node)
      this.look()
    }
  }

  /** What we stood at is no more (deleted, or a topic made anew): from its beginning; to admit again is harmless. */
  async #beginAgain(lanes: readonly Lane[], cause: unknown): Promise<void> {
    try {
      const topics = [...new Set(lanes.map(({ topic }) => topic))]
      const [first, end] = await Promise.all(
        [-2n, -1n].map((timestamp) => this.#consumer.listOffsets({ topics, timestamp })),
      )
      for (const lane of lanes) {
        const from = first!.get(lane.topic)?.[lane.partition] ?? 0n
        const to = end!.get(lane.topic)?.[lane.partition] ?? 0n
        if (lane.position < from || lane.position > to) lane.position = from
      }
    } catch {
      await this.#backOff(cause)
    }
  }

  async #backOff(error: unknown): Promise<void> {
    const { clock, kafka, onFailure } = this.#options
    if (this.#closing.signal.aborted) return
    if (this.#failures++ === 0) this.#failingSince = clock.now()
    if (!mayPass(error) || clock.now() - this.#failingSince > kafka.config.patienceMs) onFailure(error)
    this.#consumer.clearMetadata()
    await clock.sleep(backOffMs(this.#failures), this.#closing.signal)
    this.look()
  }
}

/** What the brokers say of a partition that waits for a new leader; fetching fails, and is tried again. */
const leaderless = -1
/** A lane that holds so many letters is left alone until some were taken. */
const enoughLetters = 500
const laneBytes = 128 * 1024
const answerBytes = 8 * 1024 * 1024
const longPollMs = 500

function requestFor({ partition, position }: Lane) {
  return {
    partition,
    fetchOffset: position,
    partitionMaxBytes: laneBytes,
    currentLeaderEpoch: -1,
    lastFetchedEpoch: -1,
  }
}

type FetchAnswer = Awaited<ReturnType<Consumer['fetch']>>

function deliver({ responses }: FetchAnswer, lanes: readonly Lane[], idOf: (topic: string) => string): boolean {
  let any = false
  for (const { topicId, partitions } of responses)
    for (const { partitionIndex, records } of partitions) {
      const lane = lanes.find(({ topic, partition }) => partition === partitionIndex && idOf(topic) === topicId)
      const last = records?.at(-1)
      if (!lane || !records || !last) continue
      const letters = records.flatMap(({ firstOffset, records: batch }) =>
        batch.map(({ offsetDelta, key, value }): Letter => {
          const offset = firstOffset + BigInt(offsetDelta)
          return { offset, key: key?.toString() ?? '', value: value?.toString() ?? '' }
        }),
      )
      lane.receive(letters, last.firstOffset + BigInt(last.lastOffsetDelta) + 1n)
      any ||= letters.length > 0
    }
  return any
}
