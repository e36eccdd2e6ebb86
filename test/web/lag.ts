const beatMs = 5
/** A request comes in steps (connection, head), each of which may wait for a turn of the loop. */
const steps = 4

/** How late this process may be in noting what happens: when it was busy or had no core, requests waited unseen. */
export interface Lag extends Disposable {
  /** What is seen now may have happened so many milliseconds ago. */
  now(): number
}

export function measureLag(): Lag {
  let beatAt = performance.now()
  let late: readonly number[] = []
  const timer = setInterval(() => {
    const now = performance.now()
    late = [Math.max(0, now - beatAt - beatMs), ...late].slice(0, steps)
    beatAt = now
  }, beatMs).unref()
  return {
    now: () => late.reduce((sum, ms) => sum + ms, 0) + performance.now() - beatAt,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
