import type { PoolWorker } from './worker-pool.ts'

/** How hard workers work, over all of them. */
export interface WorkerLoads {
  /** Means, as shares of cores and of memory that may be used. `null`: not known yet. */
  readonly cpuShare: number | null
  readonly memoryShare: number | null
}

interface Sight {
  readonly cpuMs: number
  readonly at: number
}

/** Remembers what workers told before: what they use is told as a sum since they began. */
export class LoadWatch {
  #before = new Map<string, Sight>()

  /** `now` minus their silence is when they told it. */
  see(workers: readonly PoolWorker[], now: number): WorkerLoads {
    const seen = new Map<string, Sight>()
    const cpu: number[] = []
    const memory: number[] = []
    for (const { id, stats, silentMs } of workers) {
      const { cpuMs, cores, rssBytes, memoryBytes } = stats
      if (typeof cpuMs === 'number') {
        const sight = { cpuMs, at: now - silentMs }
        const before = this.#before.get(id)
        const hasNews = before === undefined || sight.at - before.at > tellsEveryMs / 2
        seen.set(id, hasNews ? sight : before)
        const share = before && hasNews ? shareOf(before, sight, cores) : null
        if (share !== null) cpu.push(share)
      }
      if (typeof rssBytes === 'number' && typeof memoryBytes === 'number' && memoryBytes > 0)
        memory.push(rssBytes / memoryBytes)
    }
    this.#before = seen
    return { cpuShare: mean(cpu), memoryShare: mean(memory) }
  }
}

/** Clocks of engine and orchestrator jitter: two sights of one telling must not be taken for two. */
const tellsEveryMs = 2000

function shareOf(before: Sight, { cpuMs, at }: Sight, cores: unknown): number | null {
  // One that was started anew under its old name.
  if (cpuMs < before.cpuMs) return null
  return (cpuMs - before.cpuMs) / (at - before.at) / (typeof cores === 'number' && cores > 0 ? cores : 1)
}

const mean = (shares: readonly number[]) =>
  shares.length === 0 ? null : shares.reduce((sum, one) => sum + one, 0) / shares.length
