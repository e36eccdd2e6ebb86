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
  const origin = Math.max(Date.now(), notBefore) - performance.now()
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
