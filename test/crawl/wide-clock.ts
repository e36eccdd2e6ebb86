import type { Clock } from '../../src/clock.ts'
import { TimeHeap } from '../../src/frontier/adapters/embedded/time-heap.ts'

/** Turns of the event loop that everybody gets at each moment, to do all that is to be done then. */
const turnsAtAMoment = 3

/** Time that passes only when all wait for it: then it is at once the moment of whoever waits for the next one. */
export function virtualClock(start = 1_700_000_000_000): Clock & { readonly moments: number } {
  let now = start
  let moments = 0
  let turning = false
  let nextId = 0
  const due = new TimeHeap()
  const waiting = new Map<number, () => void>()

  function turn(left: number): void {
    if (left > 0) {
      setImmediate(turn, left - 1)
      return
    }
    turning = false
    while (due.first !== undefined && !waiting.has(due.first)) due.popDue(Number.POSITIVE_INFINITY)
    if (due.firstAt === undefined) return
    now = Math.max(now, due.firstAt)
    moments++
    for (let id = due.popDue(now); id !== undefined; id = due.popDue(now)) waiting.get(id)?.()
    keepTurning()
  }

  function keepTurning(): void {
    if (turning) return
    turning = true
    setImmediate(turn, turnsAtAMoment)
  }

  return {
    now: () => now,
    get moments() {
      return moments
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const id = nextId++
        const wake = () => {
          waiting.delete(id)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        waiting.set(id, wake)
        due.push(now + Math.max(0, Math.ceil(ms)), id)
        signal?.addEventListener('abort', wake)
        keepTurning()
      }),
  }
}
