import type { Database } from '../../../embedded/database.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { HostKey } from '../../../url/keys.ts'
import { type BandNumber, bandNumbers } from '../../bands.ts'
import { isSunk, type Novelty, unknownNovelty } from '../../sinking.ts'
import type { IdQueues } from './id-queues.ts'

/** `idle`: nothing to visit. `waiting`: for its next moment. `ready`: may be leased. */
export type HostPlace = 'idle' | 'waiting' | 'ready' | 'leased'

/** A host as the frontier works with it. Counts are of URLs; leased ones are among `queued` when stored. */
export class HostState {
  readonly id: number
  readonly key: HostKey
  pace: Pace
  nextTouchAt = 0
  hold: string | null = null
  novelty: Novelty = unknownNovelty
  place: HostPlace = 'idle'
  /** Bit for each list of ready hosts in which the host stands. */
  readyLists = 0
  /** Ids that were handed back or whose retry is due: they go first. */
  #returned: number[] | undefined
  /** The number of each band's queue; 0: none yet. */
  readonly #queues: [number, number, number] = [0, 0, 0]
  /** Not yet settled: waiting in queues, put off, or leased. */
  open = 0
  leased = 0
  done = 0
  excluded = 0
  dead = 0

  constructor(id: number, key: HostKey, pace: Pace) {
    this.id = id
    this.key = key
    this.pace = pace
  }

  get sunk(): boolean {
    return isSunk(this.novelty)
  }

  get admitted(): number {
    return this.open + this.done + this.excluded + this.dead
  }

  leaveAlone(until: number): void {
    this.nextTouchAt = Math.max(this.nextTouchAt, until)
  }

  /** A person says that the host is well again: its circuit closes. What its server asked for still holds. */
  forgive(now: number): void {
    this.pace = { ...this.pace, failures: 0 }
    if (this.hold === 'retry-after' || this.place === 'leased') return
    this.hold = null
    this.nextTouchAt = Math.min(this.nextTouchAt, now + this.pace.gapMs)
    // Where it waits it stands under a later moment.
    if (this.place === 'waiting') this.place = 'idle'
  }

  enqueue(id: number, band: BandNumber, queues: IdQueues): void {
    this.#queues[band] ||= queues.create()
    queues.push(this.#queues[band], id)
  }

  giveBack(ids: Iterable<number>): void {
    this.#returned = [...ids, ...(this.#returned ?? [])]
  }

  /** Puts an id first in line, behind those that are there already. */
  hasten(id: number): void {
    this.#returned ??= []
    this.#returned.push(id)
  }

  get hasReturned(): boolean {
    return this.#returned !== undefined
  }

  waitingIn(band: BandNumber, queues: IdQueues): number {
    const queue = this.#queues[band]
    return queue === 0 ? 0 : queues.length(queue)
  }

  hasWaiting(queues: IdQueues): boolean {
    return this.hasReturned || bandNumbers.some((band) => this.waitingIn(band, queues) > 0)
  }

  /** The next id: returned ones first (their band was served when they were first taken), then those of `band`, then others. */
  take(band: BandNumber, queues: IdQueues): { id: number; band: BandNumber | null } | undefined {
    const returned = this.#returned?.shift()
    if (this.#returned?.length === 0) this.#returned = undefined
    if (returned !== undefined) return { id: returned, band: null }
    for (const from of [band, ...bandNumbers]) {
      const id = this.#queues[from] === 0 ? undefined : queues.shift(this.#queues[from])
      if (id !== undefined) return { id, band: from }
    }
    return undefined
  }

  /** Gives up its queues, which must be empty. */
  forgetQueues(queues: IdQueues): void {
    for (const band of bandNumbers) {
      if (this.#queues[band] !== 0) queues.release(this.#queues[band])
      this.#queues[band] = 0
    }
  }
}

const maxIdle = 20_000

/** How the run before this one ended. `closedAt: null`: it crashed, and no one knows whom it touched last. */
export interface LastRun {
  readonly closedAt: number | null
  readonly reopenedAt: number
}

/**
 * The hosts of a crawl. Those with something to visit are in memory; of the others only the latest, and the rest come
 * back from the database when a link to them is found.
 */
export class Hosts {
  readonly #database: Database
  readonly #queues: IdQueues
  readonly #initialPace: (key: HostKey) => Pace
  /** Hosts mostly share a pace: one object for all of them. */
  readonly #paces = new Map<string, Pace>()
  readonly #lastRun: LastRun | null
  readonly #byKey = new Map<HostKey, HostState>()
  readonly #byId = new Map<number, HostState>()
  readonly #changed = new Set<HostState>()
  readonly #idle = new Set<HostState>()
  #nextId: number

  /** `lastRun`: `null` when this is the first. */
  constructor(database: Database, queues: IdQueues, initialPace: (key: HostKey) => Pace, lastRun: LastRun | null) {
    this.#database = database
    this.#queues = queues
    this.#initialPace = initialPace
    this.#lastRun = lastRun
    this.#nextId = Number(database.prepare('SELECT max(id) AS id FROM host').get()!.id ?? 0) + 1
    database.beforeCommit(() => this.#store())
  }

  byKey(key: HostKey): HostState {
    const known = this.#byKey.get(key)
    if (known) return known
    const row = this.#database.prepare('SELECT * FROM host WHERE key = ?').get(key)
    if (row) return this.#fromRow(row)
    const host = new HostState(this.#nextId++, key, this.#shared(JSON.stringify(this.#initialPace(key))))
    // A run that crashed may have found and touched it as well, and forgotten both.
    this.#letRest(host)
    return this.#remember(host)
  }

  byId(id: number): HostState {
    const known = this.#byId.get(id)
    if (known) return known
    return this.#fromRow(this.#database.prepare('SELECT * FROM host WHERE id = ?').get(id)!)
  }

  /** The host is written at the next commit. */
  changed(host: HostState): void {
    this.#database.write()
    this.#changed.add(host)
    if (host.open > 0 || host.place === 'leased') this.#idle.delete(host)
    else this.#idle.add(host)
  }

  *loaded(): Iterable<HostState> {
    yield* this.#byId.values()
  }

  loadOpen(): void {
    for (const row of this.#database.prepare('SELECT * FROM host WHERE queued > 0').iterate()) this.#fromRow(row)
  }

  #store(): void {
    const upsert = this.#database.prepare(
      `INSERT INTO host (id, key, pace, next_touch_at, hold, queued, done, excluded, dead, pages, copies)
       VALUES (:id, :key, :pace, :nextTouchAt, :hold, :open, :done, :excluded, :dead, :pages, :copies)
       ON CONFLICT (id) DO UPDATE SET pace = :pace, next_touch_at = :nextTouchAt, hold = :hold, queued = :open,
         done = :done, excluded = :excluded, dead = :dead, pages = :pages, copies = :copies`,
    )
    for (const host of this.#changed) {
      const { id, key, nextTouchAt, hold, open, done, excluded, dead } = host
      upsert.run({
        id,
        key,
        pace: JSON.stringify(host.pace),
        nextTouchAt,
        hold,
        open,
        done,
        excluded,
        dead,
        ...host.novelty,
      })
    }
    this.#changed.clear()
    this.#evict()
  }

  #evict(): void {
    for (const host of this.#idle) {
      if (this.#idle.size <= maxIdle) return
      this.#idle.delete(host)
      this.#byKey.delete(host.key)
      this.#byId.delete(host.id)
      host.forgetQueues(this.#queues)
    }
  }

  #fromRow(row: Record<string, unknown>): HostState {
    const host = new HostState(row.id as number, row.key as HostKey, this.#shared(row.pace as string))
    host.nextTouchAt = row.next_touch_at as number
    this.#letRest(host)
    host.hold = row.hold as string | null
    host.open = row.queued as number
    host.done = row.done as number
    host.excluded = row.excluded as number
    host.dead = row.dead as number
    host.novelty = { pages: row.pages as number, copies: row.copies as number }
    return this.#remember(host)
  }

  /**
   * What was left of its gap when the last run ended begins anew: the wall clock may have jumped since, and then stored
   * moments tell nothing about how long ago the host was touched.
   */
  #letRest(host: HostState): void {
    if (!this.#lastRun) return
    const { closedAt, reopenedAt } = this.#lastRun
    const { gapMs } = host.pace
    host.leaveAlone(reopenedAt + (closedAt === null ? gapMs : Math.min(host.nextTouchAt - closedAt, gapMs)))
  }

  #shared(json: string): Pace {
    let pace = this.#paces.get(json)
    if (!pace) {
      if (this.#paces.size >= 1000) this.#paces.clear()
      pace = JSON.parse(json) as Pace
      this.#paces.set(json, pace)
    }
    return pace
  }

  #remember(host: HostState): HostState {
    this.#byKey.set(host.key, host)
    this.#byId.set(host.id, host)
    return host
  }
}
