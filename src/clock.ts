/**
 * The only source of time. Milliseconds since 1970, never running backwards while the process lives: wall time read once
 * at the start, then carried on by a monotonic counter, so that a jump of the system clock breaks no pace and no expiry.
 */
export interface Clock {
  now(): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** `notBefore`: the last moment that an earlier run has stored, so that a wall clock set back does not repeat time. */
export function systemClock(notBefore = 0): Clock {
  return carriedFrom(Math.max(Date.now(), notBefore) - performance.now())
}

/** A counter that all threads of a process share and nobody sets. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** The clock of another thread, which is so far ahead of `monotonicMs`: the wall clock may have been set since. */
export function clockAhead(aheadMs: number): Clock {
  return carriedFrom(aheadMs + monotonicMs() - performance.now())
}

function carriedFrom(origin: number): Clock {
  return {
    now: () => Math.floor(origin + performance.now()),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 && !signal?.aborted; left -= longestTimerMs)
        await nap(Math.min(left, longestTimerMs), signal)
    },
  }
}

const longestTimerMs = 2 ** 31 - 1

function nap(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
