import { Cluster } from 'ioredis'
import type { RedisClient } from './connect.ts'
import type { ScriptArgument } from './script.ts'
import { slotOf } from './slot.ts'

interface Asked {
  readonly command: string
  readonly args: readonly ScriptArgument[]
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends all commands that are given in one turn of the event loop together: one trip to each node that is concerned.
 * Strings are answered as bytes.
 */
export class Turn {
  readonly #client: RedisClient
  readonly #asked = new Map<string, Asked[]>()
  /** Pipelines sent. */
  trips = 0

  constructor(client: RedisClient) {
    this.#client = client
  }

  /** `key` decides where the command goes. */
  send(key: string, command: string, ...args: readonly ScriptArgument[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (this.#asked.size === 0) setImmediate(() => this.#depart())
    const node = this.#nodeOf(key)
    const asked = this.#asked.get(node)
    if (asked) asked.push({ command, args, resolve, reject })
    else this.#asked.set(node, [{ command, args, resolve, reject }])
    return promise
  }

  #depart(): void {
    for (const asked of this.#asked.values()) void this.#carry(asked)
    this.#asked.clear()
  }

  async #carry(asked: readonly Asked[]): Promise<void> {
    this.trips++
    const pipeline = this.#client.pipeline()
    for (const { command, args } of asked) pipeline.callBuffer(command, ...args)
    try {
      const answers = (await pipeline.exec()) ?? []
      for (const [at, { resolve, reject }] of asked.entries()) {
        const [error, answer] = answers[at]!
        if (error) reject(error)
        else resolve(answer)
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /** A pipeline of a Cluster may only hold keys of one node. */
  #nodeOf(key: string): string {
    if (!(this.#client instanceof Cluster)) return ''
    const slot = slotOf(key)
    return this.#client.slots[slot]?.join(';') ?? `slot ${slot}`
  }
}
