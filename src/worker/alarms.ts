import type { Clock } from '../clock.ts'

/** Something to happen at a moment, once; it can be called off. */
export interface Alarm {
  cancel(): void
}

interface Entry {
  readonly at: number
  readonly ring: () => void
  /** Its place in the heap; -1 when it is no longer there. */
  place: number
}

/**
 * Wakes thousands of sessions with one timer. A timer and an abort listener for each would cost more than the requests:
 * adding a listener to a signal walks past all that are there.
 */
export class Alarms {
  readonly #clock: Clock
  readonly #heap: Entry[] = []
  #armedFor = Number.POSITIVE_INFINITY
  #timer = new AbortController()

  /** When `draining` is set all alarms ring at once. */
  constructor(clock: Clock, draining: AbortSignal) {
    this.#clock = clock
    draining.addEventListener('abort', () => this.#ringAll())
  }

  at(moment: number, ring: () => void): Alarm {
    const entry = { at: moment, ring, place: this.#heap.length }
    this.#heap.push(entry)
    this.#rise(entry)
    this.#arm()
    return { cancel: () => this.#cancel(entry) }
  }

  /** Resolves at that moment, or when all alarms ring. */
  until(moment: number): Promise<void> {
    return new Promise((resolve) => this.at(moment, resolve))
  }

  #cancel(entry: Entry): void {
    if (entry.place >= 0) this.#remove(entry)
    // Nothing to wait for: a timer left behind would keep the process alive.
    if (this.#heap.length === 0) this.#disarm()
  }

  #arm(): void {
    const first = this.#heap[0]
    if (!first || first.at >= this.#armedFor) return
    this.#disarm()
    this.#armedFor = first.at
    const timer = new AbortController()
    this.#timer = timer
    void this.#clock.sleep(first.at - this.#clock.now(), timer.signal).then(() => {
      if (timer.signal.aborted) return
      this.#armedFor = Number.POSITIVE_INFINITY
      this.#ringDue()
    })
  }

  #disarm(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    this.#timer.abort('not needed')
  }

  #ringDue(): void {
    const now = this.#clock.now()
    for (let first = this.#heap[0]; first && first.at <= now; first = this.#heap[0]) {
      this.#remove(first)
      first.ring()
    }
    this.#arm()
  }

  #ringAll(): void {
    this.#disarm()
    for (const entry of this.#heap.splice(0)) {
      entry.place = -1
      entry.ring()
    }
  }

  #remove(entry: Entry): void {
    const last = this.#heap.pop()!
    if (last !== entry) {
      this.#put(last, entry.place)
      this.#rise(last)
      this.#sink(last)
    }
    entry.place = -1
  }

  #rise(entry: Entry): void {
    while (entry.place > 0) {
      const parent = this.#heap[(entry.place - 1) >> 1]!
      if (parent.at <= entry.at) return
      this.#swap(parent, entry)
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.place + 1]
      const right = this.#heap[2 * entry.place + 2]
      const child = right && right.at < left!.at ? right : left
      if (!child || child.at >= entry.at) return
      this.#swap(entry, child)
    }
  }

  #swap(upper: Entry, lower: Entry): void {
    const place = upper.place
    this.#put(upper, lower.place)
    this.#put(lower, place)
  }

  #put(entry: Entry, place: number): void {
    this.#heap[place] = entry
    entry.place = place
  }
}
