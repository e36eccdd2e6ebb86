import type { Database } from '../../../embedded/database.ts'
import { type IdArena, IdFifo } from './id-arena.ts'

const spillSize = 4096

/**
 * A queue of ids of which only the two ends stay in memory: the middle lies in the database, in chunks. So a host with
 * ten million waiting URLs needs no more memory than one with ten thousand. Chunks only relieve memory: after a
 * restart they are thrown away and the queues are filled anew from the URLs themselves.
 */
export class SpillingQueue {
  readonly #database: Database
  readonly #arena: IdArena
  readonly #head: IdFifo
  /** What comes after the head, once the head is long: rows of chunks, oldest first, then ids not yet in a chunk. */
  #rest: { readonly chunks: number[]; readonly tail: IdFifo } | undefined
  length = 0

  constructor(database: Database, arena: IdArena) {
    this.#database = database
    this.#arena = arena
    this.#head = new IdFifo(arena)
  }

  push(id: number): void {
    this.length++
    if (!this.#rest && this.#head.length < spillSize) {
      this.#head.push(id)
      return
    }
    this.#rest ??= { chunks: [], tail: new IdFifo(this.#arena) }
    this.#rest.tail.push(id)
    if (this.#rest.tail.length >= spillSize) this.#rest.chunks.push(this.#store(this.#rest.tail))
  }

  shift(): number | undefined {
    if (this.length === 0) return undefined
    if (this.#head.length === 0) this.#refill()
    this.length--
    return this.#head.shift()
  }

  #store(fifo: IdFifo): number {
    const ids = new Uint32Array(fifo.length)
    for (let i = 0; i < ids.length; i++) ids[i] = fifo.shift()!
    this.#database.write()
    const insert = this.#database.prepare('INSERT INTO queue_chunk (ids) VALUES (?)')
    return Number(insert.run(new Uint8Array(ids.buffer)).lastInsertRowid)
  }

  #refill(): void {
    const { chunks, tail } = this.#rest!
    const chunk = chunks.shift()
    if (chunk === undefined) {
      for (let id = tail.shift(); id !== undefined; id = tail.shift()) this.#head.push(id)
      this.#rest = undefined
      return
    }
    this.#database.write()
    const row = this.#database.prepare('DELETE FROM queue_chunk WHERE id = ? RETURNING ids').get(chunk)
    const bytes = row!.ids as Uint8Array
    for (const id of new Uint32Array(bytes.slice().buffer)) this.#head.push(id)
  }
}
