const beatMs = 5

/** How late this process may be in noting what happens: when it was busy or had no core, requests waited unseen. */
export interface Lag extends Disposable {
  /** What is seen now may have happened so many milliseconds ago. */
  now(): number
}

export function measureLag(): Lag {
  let beatAt = performance.now()
  let lastLateMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    lastLateMs = Math.max(0, now - beatAt - beatMs)
    beatAt = now
  }, beatMs).unref()
  return {
    // Timers run before sockets are read: a beat may have come right before what was waiting for us.
    now: () => Math.max(lastLateMs, performance.now() - beatAt),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
