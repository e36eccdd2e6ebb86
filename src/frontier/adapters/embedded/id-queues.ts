import type { Database } from '../../../embedded/database.ts'
import { IdArena, idsPerBlock, linkSlot } from './id-arena.ts'

const spillSize = 4096

/**
 * Many first-in-first-out queues of ids, named by number: 13 bytes each and some 5 for every id, all outside the
 * JavaScript heap. Of a long queue only the two ends stay in memory: the middle lies in the database, in chunks. So a
 * host with ten million waiting URLs needs no more memory than one with ten thousand. Chunks only relieve memory: after
 * a restart they are thrown away and the queues are filled anew from the URLs themselves.
 */
export class IdQueues {
  readonly #database: Database
  readonly #arena = new IdArena()
  #heads = new Uint32Array(1024)
  #tails = new Uint32Array(1024)
  #lengths = new Uint32Array(1024)
  /** Slot in the head block (low half) and in the tail block (high half). */
  #slots = new Uint8Array(1024)
  #used = 1
  readonly #free: number[] = []
  /** What comes after a head that is long: rows of chunks, oldest first, then a queue of ids not yet in a chunk. */
  readonly #rests = new Map<number, { readonly chunks: number[]; readonly tail: number }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Numbers start at 1. */
  create(): number {
    const queue = this.#free.pop() ?? this.#used++
    if (queue >= this.#heads.length) this.#grow()
    return queue
  }

  /** The queue must be empty. */
  release(queue: number): void {
    this.#free.push(queue)
  }

  length(queue: number): number {
    const rest = this.#rests.get(queue)
    const waiting = this.#lengths[queue]!
    return rest ? waiting + rest.chunks.length * spillSize + this.#lengths[rest.tail]! : waiting
  }

  push(queue: number, id: number): void {
    const rest = this.#rests.get(queue)
    if (rest) {
      this.#append(rest.tail, id)
      if (this.#lengths[rest.tail] === spillSize) rest.chunks.push(this.#store(rest.tail))
    } else {
      this.#append(queue, id)
      if (this.#lengths[queue] === spillSize) this.#rests.set(queue, { chunks: [], tail: this.create() })
    }
  }

  shift(queue: number): number | undefined {
    if (this.#lengths[queue] === 0) {
      const rest = this.#rests.get(queue)
      if (!rest) return undefined
      this.#refill(queue, rest)
    }
    return this.#take(queue)
  }

  #append(queue: number, id: number): void {
    let slot = this.#slots[queue]! >>> 4
    if (this.#tails[queue] === 0) {
      this.#heads[queue] = this.#tails[queue] = this.#arena.allocate()
    } else if (slot === idsPerBlock) {
      const block = this.#arena.allocate()
      this.#arena.set(this.#tails[queue]!, linkSlot, block)
      this.#tails[queue] = block
      slot = 0
    }
    this.#arena.set(this.#tails[queue]!, slot, id)
    this.#slots[queue] = ((slot + 1) << 4) | (this.#slots[queue]! & 15)
    this.#lengths[queue]!++
  }

  #take(queue: number): number | undefined {
    if (this.#lengths[queue] === 0) return undefined
    const slot = this.#slots[queue]! & 15
    const block = this.#heads[queue]!
    const id = this.#arena.get(block, slot)
    this.#lengths[queue]!--
    if (this.#lengths[queue] === 0) {
      this.#arena.release(block)
      this.#heads[queue] = this.#tails[queue] = this.#slots[queue] = 0
    } else if (slot + 1 === idsPerBlock) {
      this.#heads[queue] = this.#arena.get(block, linkSlot)
      this.#arena.release(block)
      this.#slots[queue] = this.#slots[queue]! & 0xf0
    } else {
      this.#slots[queue] = this.#slots[queue]! + 1
    }
    return id
  }

  #store(queue: number): number {
    const ids = Uint32Array.from({ length: this.#lengths[queue]! }, () => this.#take(queue)!)
    this.#database.write()
    const insert = this.#database.prepare('INSERT INTO queue_chunk (ids) VALUES (?)')
    return Number(insert.run(new Uint8Array(ids.buffer)).lastInsertRowid)
  }

  #refill(queue: number, { chunks, tail }: { chunks: number[]; tail: number }): void {
    const chunk = chunks.shift()
    if (chunk === undefined) {
      for (let id = this.#take(tail); id !== undefined; id = this.#take(tail)) this.#append(queue, id)
      this.#rests.delete(queue)
      this.release(tail)
      return
    }
    this.#database.write()
    const row = this.#database.prepare('DELETE FROM queue_chunk WHERE id = ? RETURNING ids').get(chunk)
    for (const id of new Uint32Array((row!.ids as Uint8Array).slice().buffer)) this.#append(queue, id)
  }

  #grow(): void {
    const size = this.#heads.length * 2
    const larger = (columns: Uint32Array<ArrayBuffer>) => {
      const copy = new Uint32Array(size)
      copy.set(columns)
      return copy
    }
    this.#heads = larger(this.#heads)
    this.#tails = larger(this.#tails)
    this.#lengths = larger(this.#lengths)
    const slots = new Uint8Array(size)
    slots.set(this.#slots)
    this.#slots = slots
  }
}
