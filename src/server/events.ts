import type { ServerResponse } from 'node:http'
import type { Snapshot } from './api/schemas/overview.ts'
import type { Watch } from './watch.ts'

/** Who cannot take so much is too slow to follow, and may come again. */
const mostWaitingBytes = 1024 * 1024

/** Live events for many: each snapshot is put into words once. */
export class Events {
  readonly #watch: Watch
  readonly #viewers = new Set<ServerResponse>()
  #stop: (() => void) | undefined

  constructor(watch: Watch) {
    this.#watch = watch
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Sends events to this response until either side ends it. */
  add(response: ServerResponse): void {
    response.write(`retry: 2000\n\n${messageOf(this.#watch.latest)}`)
    this.#viewers.add(response)
    response.on('close', () => this.#remove(response))
    this.#stop ??= this.#watch.follow((snapshot) => this.#send(snapshot))
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
    for (const viewer of this.#viewers) viewer.end()
  }

  #send(snapshot: Snapshot): void {
    const message = Buffer.from(messageOf(snapshot))
    for (const viewer of this.#viewers) {
      if (viewer.writableLength > mostWaitingBytes) viewer.destroy()
      else viewer.write(message)
    }
  }

  #remove(response: ServerResponse): void {
    this.#viewers.delete(response)
    if (this.#viewers.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }
}

const messageOf = (snapshot: Snapshot) => `event: snapshot\nid: ${snapshot.at}\ndata: ${JSON.stringify(snapshot)}\n\n`
