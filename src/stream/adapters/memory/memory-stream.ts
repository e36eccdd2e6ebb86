import { Bell } from '../../../bell.ts'
import { handOver } from '../../hand-over.ts'
import type { FetchedPage, Stream, StreamLag, TakeOptions } from '../../stream.ts'

interface Entry {
  readonly number: number
  readonly page: FetchedPage
}

/** A stream inside one process; as many may take from it as like. It remembers nothing beyond the process. */
export class MemoryStream implements Stream {
  readonly #capacity: number
  readonly #queue: Entry[] = []
  readonly #bell = new Bell()
  #put = 0
  #underWay = 0

  /** `capacity`: pages that may wait before `put` does. */
  constructor(capacity = 1000) {
    this.#capacity = capacity
  }

  async put(page: FetchedPage): Promise<void> {
    this.#queue.push({ number: this.#put++, page })
    this.#bell.ring()
    while (this.#queue.length > this.#capacity) await this.#bell.heard()
  }

  async flush(): Promise<void> {}

  async take(handle: (page: FetchedPage) => Promise<void>, options: TakeOptions): Promise<void> {
    const source = {
      take: (max: number) => this.#queue.splice(0, max),
      changed: (signal: AbortSignal) => this.#bell.heard(signal),
    }
    await handOver(source, (entry) => this.#handle(entry, handle), options)
  }

  async lag(): Promise<StreamLag> {
    return { waiting: this.#queue.length + this.#underWay, put: this.#put }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #handle(entry: Entry, handle: (page: FetchedPage) => Promise<void>): Promise<void> {
    this.#underWay++
    try {
      await handle(entry.page)
    } catch (error) {
      this.#giveBack(entry)
      throw error
    } finally {
      this.#underWay--
      this.#bell.ring()
    }
  }

  /** To its old place, so that the pages of its host keep their order. */
  #giveBack(entry: Entry): void {
    const later = this.#queue.findIndex(({ number }) => number > entry.number)
    this.#queue.splice(later < 0 ? this.#queue.length : later, 0, entry)
  }
}
