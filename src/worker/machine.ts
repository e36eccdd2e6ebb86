import { totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'

/** How much of the machine we use, from one reading to the next. */
export interface MachineLoad {
  /** Share of the time since the last reading for which this thread was busy. */
  readonly busyShare: number
  /** Memory in use, as a share of what may be used. */
  readonly memoryShare: number
}

export function machineLoad(maxMemoryBytes: number): () => MachineLoad {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return { busyShare: utilization, memoryShare: process.memoryUsage.rss() / maxMemoryBytes }
  }
}

/** What the machine, or the container we run in, has. */
export function memoryOfMachine(): number {
  // 0, or more than there is, where nothing constrains us.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), constrained)
}
