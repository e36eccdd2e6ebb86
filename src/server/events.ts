import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import type { Snapshot } from './api/schemas/overview.ts'
import type { Watch } from './watch.ts'

/** Who cannot take so much is too slow to follow, and may come again. */
const mostWaitingBytes = 1024 * 1024

export const eventsQuery = z.strictObject({
  limit: z.int().min(1).max(1_000_000).optional().describe('Ends after so many snapshots'),
})

/** Live events for many: each snapshot is put into words once. */
export class Events {
  readonly #watch: Watch
  /** With how many snapshots each has yet to come. */
  readonly #viewers = new Map<ServerResponse, number>()
  #stop: (() => void) | undefined

  constructor(watch: Watch) {
    this.#watch = watch
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Sends events to this response until either side ends it, or so many were sent. */
  add(response: ServerResponse, limit = Number.POSITIVE_INFINITY): void {
    response.write(`retry: 2000\n\n${messageOf(this.#watch.latest)}`)
    if (limit <= 1) {
      response.end()
      return
    }
    this.#viewers.set(response, limit - 1)
    response.on('close', () => this.#remove(response))
    this.#stop ??= this.#watch.follow((snapshot) => this.#send(snapshot))
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
    for (const viewer of this.#viewers.keys()) viewer.end()
  }

  #send(snapshot: Snapshot): void {
    const message = Buffer.from(messageOf(snapshot))
    for (const [viewer, left] of this.#viewers) {
      if (viewer.writableLength > mostWaitingBytes) viewer.destroy()
      else if (left <= 1) viewer.end(message)
      else viewer.write(message)
      this.#viewers.set(viewer, left - 1)
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
