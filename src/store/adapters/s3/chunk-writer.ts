import type { ObjectStore } from '../../../engines/s3/objects.ts'
import type { GrowingSegment, OutgoingChunk } from './growing-segment.ts'

export interface ChunkWriterOptions {
  readonly objects: ObjectStore
  /** So much may gather before it is written without a flush being asked for. */
  readonly gatherBytes: number
  /** So much may wait before appending has to. */
  readonly maxWaitingBytes: number
  /** A closed segment is in S3 with its last byte. */
  readonly onComplete: (segment: GrowingSegment) => void
}

/**
 * Brings what is appended to S3, one chunk after the other and in the order of appending. So a segment in S3 never has a
 * gap, whatever dies when, and a page that is safe refers to nothing that is not.
 */
export class ChunkWriter {
  readonly #options: ChunkWriterOptions
  /** The oldest first; only the last may still be growing. */
  readonly #segments: GrowingSegment[] = []
  #appendedBytes = 0
  #safeBytes = 0
  /** Up to here somebody wants it to be safe. */
  #wantedBytes = 0
  #isRunning = false
  #running: Promise<void> = Promise.resolve()
  #sweeping: Promise<void> = Promise.resolve()
  #failure: Error | undefined
  /** Called whenever more has become safe, or nothing ever will. */
  #waiters: (() => void)[] = []

  constructor(options: ChunkWriterOptions) {
    this.#options = options
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  begin(segment: GrowingSegment): void {
    this.#segments.push(segment)
  }

  /** Nothing is appended to it any more: when it is whole in S3, `onComplete` hears of it. */
  end(segment: GrowingSegment): void {
    segment.closed = true
    this.#wantedBytes = this.#appendedBytes
    this.#start()
  }

  appended(bytes: number): void {
    this.#appendedBytes += bytes
    if (this.#appendedBytes - this.#safeBytes < this.#options.gatherBytes) return
    this.#wantedBytes = this.#appendedBytes
    this.#start()
  }

  /** To be asked right before appending: of many who waited for room, the first may have taken it. */
  get isFull(): boolean {
    return this.#failure !== undefined || this.#appendedBytes - this.#safeBytes >= this.#options.maxWaitingBytes
  }

  /** Resolves when there is room for more in memory. */
  async room(): Promise<void> {
    await this.#until(() => !this.isFull)
  }

  async flush(): Promise<void> {
    const target = this.#appendedBytes
    this.#wantedBytes = target
    this.#start()
    await this.#until(() => this.#safeBytes >= target)
  }

  /** Resolves when all chunks that larger ones have replaced until now are deleted. */
  swept(): Promise<void> {
    return this.#sweeping
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await this.#running
    await this.#sweeping
  }

  /** Ends the writing: whoever waits or comes later gets this error. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  async #until(isSo: () => boolean): Promise<void> {
    for (;;) {
      if (this.#failure) throw this.#failure
      if (isSo()) return
      await new Promise<void>((wake) => this.#waiters.push(wake))
    }
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#running = this.#run().catch((error) => this.fail(error))
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#letGo()
      const segment = this.#segments[0]
      const chunk = this.#safeBytes < this.#wantedBytes && !this.#failure ? segment?.nextChunk() : undefined
      if (!segment || !chunk) break
      await this.#options.objects.put(chunk.key, chunk.body)
      this.#written(segment, chunk)
    }
    this.#isRunning = false
  }

  #written(segment: GrowingSegment, chunk: OutgoingChunk): void {
    const obsolete = segment.written(chunk)
    this.#safeBytes += chunk.newBytes
    this.#wake()
    if (obsolete.length > 0) this.#sweep(obsolete)
  }

  #letGo(): void {
    while (this.#segments[0]?.closed && this.#segments[0].waitingBytes === 0)
      this.#options.onComplete(this.#segments.shift()!)
  }

  /** Beside the writing: nobody waits for it, and what a crash leaves is deleted when the segment is sealed. */
  #sweep(keys: readonly string[]): void {
    const remove = async () => {
      for (const key of keys) await this.#options.objects.remove(key)
    }
    this.#sweeping = this.#sweeping.then(remove).catch((error) => this.fail(error))
  }
}
