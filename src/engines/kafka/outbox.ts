import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { type Kafka, kafkaSentence, type TextProducer } from './connect.ts'
import { Errand } from './errand.ts'
import { mayPass } from './faults.ts'
import { patiently } from './patience.ts'

export interface OutgoingLetter {
  readonly topic: string
  readonly partition: number
  readonly key: string
  readonly value: string
}

interface Bundle {
  readonly letters: readonly OutgoingLetter[]
  readonly bytes: number
  readonly ended: (failure?: Error) => void
}

/**
 * Letters on their way to Kafka. Those of one turn, and those that come while a batch is under way, go together; one
 * batch at a time, so that each partition keeps the order in which they came, also when a batch is repeated.
 */
export class Outbox implements AsyncDisposable {
  readonly #kafka: Kafka
  readonly #clock: Clock
  readonly #producer: TextProducer
  readonly #closing = new AbortController()
  #bundles: Bundle[] = []
  #waitingBytes = 0
  readonly #sending = new Errand(() => this.#sendAll())
  #failure: Error | undefined
  /** Batches sent, for those who count round trips. */
  batches = 0

  constructor(kafka: Kafka, clock: Clock) {
    this.#kafka = kafka
    this.#clock = clock
    this.#producer = kafka.producer()
  }

  /** Nothing waits and nothing is under way. */
  get isEmpty(): boolean {
    return this.#sending.isIdle
  }

  /** Bytes that wait to be sent: what callers that need not wait for the answer look at. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Resolves when every broker that must have the letters has them. Rejects when Kafka is away longer than its patience. */
  send(letters: readonly OutgoingLetter[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = (failure?: Error) => (failure ? reject(failure) : resolve())
      // Sent in order: with the last of them all are.
      const bundles = bundled(letters)
      for (const [index, bundle] of bundles.entries())
        this.#push({ ...bundle, ended: index === bundles.length - 1 ? ended : () => {} })
    })
  }

  /** Without waiting: `flush` tells how it went. */
  post(letters: readonly OutgoingLetter[]): void {
    for (const bundle of bundled(letters)) this.#push({ ...bundle, ended: () => {} })
  }

  /** Resolves when all that was sent and posted before is safe. */
  flush(): Promise<void> {
    return this.send([])
  }

  /** Sends what was given; what Kafka does not take in a moment is given up. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([this.#sending.idle(), this.#clock.sleep(farewellMs, this.#closing.signal)])
    this.#closing.abort()
    await this.#sending.idle()
    await this.#producer.close()
  }

  #push(bundle: Bundle): void {
    if (this.#failure) {
      bundle.ended(this.#failure)
      return
    }
    this.#bundles.push(bundle)
    this.#waitingBytes += bundle.bytes
    void this.#sending.ask()
  }

  async #sendAll(): Promise<void> {
    await nextTurn()
    while (this.#bundles.length > 0) {
      const batch = this.#nextBatch()
      try {
        await this.#sendBatch(batch.flatMap(({ letters }) => letters))
        for (const { ended } of batch) ended()
      } catch (error) {
        this.#failure = new Error(kafkaSentence(this.#kafka.config, error), { cause: error })
        for (const { ended } of [...batch, ...this.#bundles.splice(0)]) ended(this.#failure)
        this.#waitingBytes = 0
      }
    }
  }

  #nextBatch(): Bundle[] {
    let [count, bytes] = [0, 0]
    while (count < this.#bundles.length && (count === 0 || bytes + this.#bundles[count]!.bytes <= batchBytes))
      bytes += this.#bundles[count++]!.bytes
    this.#waitingBytes -= bytes
    return this.#bundles.splice(0, count)
  }

  async #sendBatch(letters: readonly OutgoingLetter[]): Promise<void> {
    if (letters.length === 0) return
    const { patienceMs } = this.#kafka.config
    const patience = { clock: this.#clock, patienceMs, mayPass, signal: this.#closing.signal }
    await patiently(async () => {
      try {
        await this.#producer.send({ messages: letters.map((letter) => ({ ...letter })), acks: -1 })
      } catch (error) {
        // A leader may have moved: ask who it is.
        this.#producer.clearMetadata()
        throw error
      }
    }, patience)
    this.batches++
  }
}

/** A batch for one partition must stay below the brokers' limit of 1 MiB, whatever partitions its letters go to. */
const batchBytes = 900_000
const farewellMs = 5000
/** Lengths, time and offset of a letter, as they are sent. */
const overheadBytes = 20

/** In pieces that fit into a batch; nothing makes one empty piece. */
function bundled(letters: readonly OutgoingLetter[]): Omit<Bundle, 'ended'>[] {
  const bundles: { letters: OutgoingLetter[]; bytes: number }[] = [{ letters: [], bytes: 0 }]
  for (const letter of letters) {
    const bytes = bytesOf(letter)
    const last = bundles.at(-1)!
    if (last.letters.length > 0 && last.bytes + bytes > batchBytes) bundles.push({ letters: [letter], bytes })
    else {
      last.letters.push(letter)
      last.bytes += bytes
    }
  }
  return bundles
}

const bytesOf = ({ key, value }: OutgoingLetter) => Buffer.byteLength(key) + Buffer.byteLength(value) + overheadBytes
