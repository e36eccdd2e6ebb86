import type { Clock } from '../../src/clock.ts'
import { TimeHeap } from '../../src/frontier/adapters/embedded/time-heap.ts'

/** Turns of the event loop that everybody gets at each moment, to do all that is to be done then. */
const turnsAtAMoment = 2

/**
 * Virtual time for a world that talks to a real engine: it passes only when all wait for it and no answer of the engine
 * is outstanding.
 */
export class PatientClock implements Clock {
  #now = 1_700_000_000_000
  #turning = false
  #outstanding = 0
  #nextId = 0
  readonly #due = new TimeHeap()
  readonly #waiting = new Map<number, () => void>()

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const id = this.#nextId++
      const wake = () => {
        this.#waiting.delete(id)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.set(id, wake)
      this.#due.push(this.#now + Math.max(0, Math.ceil(ms)), id)
      signal?.addEventListener('abort', wake)
      this.#keepTurning()
    })
  }

  /** Time stands still until the engine has answered. */
  async during<T>(asked: Promise<T>): Promise<T> {
    this.#outstanding++
    try {
      return await asked
    } finally {
      this.#outstanding--
      this.#keepTurning()
    }
  }

  #keepTurning(): void {
    if (this.#turning) return
    this.#turning = true
    setImmediate(() => this.#turn(turnsAtAMoment))
  }

  #turn(left: number): void {
    if (this.#outstanding > 0) {
      this.#turning = false
      return
    }
    if (left > 0) {
      setImmediate(() => this.#turn(left - 1))
      return
    }
    this.#turning = false
    while (this.#due.first !== undefined && !this.#waiting.has(this.#due.first))
      this.#due.popDue(Number.POSITIVE_INFINITY)
    if (this.#due.firstAt === undefined) return
    this.#now = Math.max(this.#now, this.#due.firstAt)
    for (let id = this.#due.popDue(this.#now); id !== undefined; id = this.#due.popDue(this.#now))
      this.#waiting.get(id)?.()
    this.#keepTurning()
  }
}
