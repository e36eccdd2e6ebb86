import type { Clock } from '../clock.ts'

const everyMs = 200
/** Shorter ones are the usual course of a busy machine. */
const leastMs = 1000

/**
 * Tells when this process had no turn for so long: a machine with too much to do, or one that slept. Leases may have
 * expired meanwhile, and what was fetched under them is fetched again.
 */
export function watchStalls(clock: Clock, stalled: (ms: number) => void): Disposable {
  let since = clock.now()
  const timer = setInterval(() => {
    const now = clock.now()
    const ms = now - since - everyMs
    since = now
    if (ms >= leastMs) stalled(ms)
  }, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
