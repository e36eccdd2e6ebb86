/** Ctrl-C, SIGTERM or the death of the process that holds our channel asks to leave in order; a second time, at once. */
export function leavingOnSignals(
  log: (line: string) => void,
  atOnce: () => void,
): Disposable & { signal: AbortSignal } {
  const leaving = new AbortController()
  const stop = () => {
    if (leaving.signal.aborted) return atOnce()
    log('Leaving: what is under way is finished first. Press Ctrl-C again to leave at once; nothing is lost.')
    leaving.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('disconnect', stop)
  return {
    signal: leaving.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      process.off('disconnect', stop)
    },
  }
}
