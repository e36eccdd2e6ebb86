import type { Consumer } from '@platformatic/kafka'
import type { Clock } from '../../../clock.ts'
import type { Kafka } from '../../../engines/kafka/connect.ts'
import { GroupReader } from '../../../engines/kafka/group-reader.ts'
import { readLag } from '../../../engines/kafka/lag.ts'
import type { Taken } from '../../../engines/kafka/lane.ts'
import { Outbox } from '../../../engines/kafka/outbox.ts'
import { ensureTopics, topicName } from '../../../engines/kafka/topics.ts'
import { handOver } from '../../hand-over.ts'
import type { FetchedPage, Stream, StreamLag, TakeOptions } from '../../stream.ts'
import { decodePage, encodePage } from './page-letter.ts'

export interface KafkaStreamOptions {
  readonly kafka: Kafka
  readonly crawl: string
  readonly clock: Clock
  /** The same in all workers: decides in which partition the pages of a host go. */
  readonly hash: (text: string) => number
}

export function pageTopicName({ config }: Kafka, crawl: string): string {
  return topicName(config.prefix, crawl, 'pages')
}

/** A topic for each crawl, keyed by host. Only who takes is a member of its consumer group. */
export async function openKafkaStream(options: KafkaStreamOptions): Promise<KafkaStream> {
  const { kafka, crawl, clock } = options
  const { partitions } = kafka.config
  const topic = pageTopicName(kafka, crawl)
  return new KafkaStream(options, await ensureTopics(kafka, [{ name: topic, partitions: partitions.pages }], clock))
}

export class KafkaStream implements Stream {
  readonly #options: KafkaStreamOptions
  readonly #partitions: ReadonlyMap<string, number>
  readonly #topic: string
  readonly #group: string
  readonly #outbox: Outbox
  readonly #observer: Consumer
  #reader: GroupReader | undefined

  constructor(options: KafkaStreamOptions, partitions: ReadonlyMap<string, number>) {
    const { kafka, clock } = options
    this.#options = options
    this.#partitions = partitions
    this.#topic = [...partitions.keys()][0]!
    this.#group = this.#topic
    this.#outbox = new Outbox(kafka, clock)
    this.#observer = kafka.consumer({ groupId: this.#group })
  }

  async put(page: FetchedPage): Promise<void> {
    const { host } = page
    const partition = this.#options.hash(host) % this.#partitions.get(this.#topic)!
    this.#outbox.post([{ topic: this.#topic, partition, key: host, value: encodePage(page) }])
    if (this.#outbox.waitingBytes > enoughBytes) await this.#outbox.flush()
  }

  flush(): Promise<void> {
    return this.#outbox.flush()
  }

  async take(handle: (page: FetchedPage) => Promise<void>, options: TakeOptions): Promise<void> {
    const { kafka, clock } = this.#options
    await using reader = await GroupReader.open({ kafka, group: this.#group, partitions: this.#partitions, clock })
    const source = {
      take: (max: number) => reader.take(this.#topic, max),
      changed: (signal: AbortSignal) => reader.changed(signal),
    }
    this.#reader = reader
    try {
      await handOver(source, (letter) => acknowledged(reader, letter, handle), options)
    } finally {
      this.#reader = undefined
    }
  }

  async lag(): Promise<StreamLag> {
    if (this.#reader) return await this.#reader.lag()
    const { waiting, put } = await readLag({
      ...this.#options,
      consumer: this.#observer,
      partitions: this.#partitions,
    })
    return { waiting, put }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#outbox[Symbol.asyncDispose]()
    await this.#observer.close(true)
  }
}

async function acknowledged(reader: GroupReader, letter: Taken, handle: (page: FetchedPage) => Promise<void>) {
  const page = decodePage(letter.value)
  if (page) await handle(page)
  reader.handled([letter])
}

/** So much may wait to be sent before `put` does. */
const enoughBytes = 4_000_000
