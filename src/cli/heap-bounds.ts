import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { setWhenLoaded } from './late-flags.ts'

const MIB = 1024 * 1024
/** Of the two halves in which V8 keeps young objects. Twice as much costs 32 MiB and makes no crawl faster. */
const MAX_HALF_MIB = 16
/** Threads that are started while growth is forbidden begin with enough to work well. */
const FIRST_HALF_MIB = 4
/** Garbage among old objects, of what is alive, before V8 looks for it. By itself it waits for up to three times as much. */
const MAX_OLD_GARBAGE_PERCENT = 150

/**
 * Bounds what V8 takes for young objects and for garbage, in every thread. It reads the limit of young objects when a thread begins, which for the first one
 * is before any of our code; so that one is watched, and growth forbidden as long as it has enough. For a program, not
 * for a library: the whole process is concerned.
 */
export function boundHeap(lookEveryMs = 200): void {
  setFlagsFromString(`--max-semi-space-size=${MAX_HALF_MIB}`)
  setFlagsFromString(`--min-semi-space-size=${FIRST_HALF_MIB}`)
  setWhenLoaded(`--heap-growing-percent=${MAX_OLD_GARBAGE_PERCENT}`)
  let mayGrow = true
  setInterval(() => {
    const hasEnough = youngBytes() > MAX_HALF_MIB * MIB
    if (hasEnough !== mayGrow) return
    mayGrow = !hasEnough
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }, lookEveryMs).unref()
}

/** In both halves, of which the second may not yet be in use. */
export function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
