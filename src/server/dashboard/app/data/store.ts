import { useEffect, useReducer, useRef } from 'preact/hooks'

/** A value that components watch. */
export interface Store<Value> {
  readonly value: Value
  set(value: Value): void
  /** Answers how to stop watching. */
  watch(watcher: () => void): () => void
}

export function store<Value>(initial: Value): Store<Value> {
  const watchers = new Set<() => void>()
  let value = initial
  return {
    get value() {
      return value
    },
    set(next) {
      value = next
      for (const watcher of watchers) watcher()
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

/** The store's value; the component is drawn again when it changes. */
export function useStore<Value>(watched: Store<Value>): Value {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0)
  const { value } = watched
  const drawn = useRef(value)
  drawn.current = value
  useEffect(() => {
    // It may have changed between the first drawing and now.
    if (drawn.current !== watched.value) redraw()
    return watched.watch(() => redraw())
  }, [watched])
  return value
}
