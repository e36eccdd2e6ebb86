import type { FetchedPage, Stream } from '../stream/stream.ts'

/**
 * Messages to those who parse, held back until what they point at can be read: who gets one reads the archive at once.
 */
export class Letters {
  readonly #stream: Stream
  #waiting: FetchedPage[] = []

  constructor(stream: Stream) {
    this.#stream = stream
  }

  hold(page: FetchedPage): void {
    this.#waiting.push(page)
  }

  /** Those held so far: to be sent when all that was archived before is safe. Resolves when they are safe too. */
  take(): () => Promise<void> {
    const taken = this.#waiting
    this.#waiting = []
    return async () => {
      for (const page of taken) await this.#stream.put(page)
      await this.#stream.flush()
    }
  }
}
