import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { fuzz } from './fuzz.ts'
import { parts } from './parts.ts'

export interface Assignment {
  readonly part: string
  readonly seed: number
  readonly runs: number
  readonly from: number
  /** Shared: the run under way, for whoever watches over this thread. */
  readonly progress: Int32Array
}

/** Fuzzes one part, and tells what it left in memory. */
const { part: name, seed, runs, from, progress } = workerData as Assignment
setFlagsFromString('--expose-gc')
// Only contexts made from now on have it.
const collect = runInNewContext('gc') as () => void
const heapBytes = async () => {
  // What zlib holds is let go a turn after it was collected.
  for (let i = 0; i < 3; i++) {
    collect()
    await nextTurn()
  }
  return process.memoryUsage().heapUsed + process.memoryUsage().external
}

const part = parts.find((one) => one.name === name)!
const began = (run: number) => Atomics.store(progress, 0, run)
// What is made once (tables, compiled code) is no growth.
const warmUp = Math.min(runs, 2000)
await fuzz(part, { seed, runs: warmUp, from })
const before = await heapBytes()
const result = await fuzz(part, { seed, runs, from, began })
parentPort!.postMessage({ ...result, grownBytes: (await heapBytes()) - before })
