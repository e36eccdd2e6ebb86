import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Sample } from './samples.ts'

/** One way to do the work of a stage. The first of a stage is ours, the others are what it is compared with. */
export interface Way {
  readonly name: string
  open(samples: readonly Sample[]): Running | Promise<Running>
}

export interface Running {
  /** The work for one page; `serial` is never the same twice. */
  page(sample: Sample, serial: number): unknown
  /** What is due at the end of a batch and belongs to its cost, such as a commit. */
  flush?(): unknown
  close?(): unknown
}

export interface Stage {
  readonly name: string
  /** Without those whose packages are not there. */
  ways(): Promise<readonly Way[]>
}

export interface Measured {
  readonly stage: string
  readonly way: string
  readonly cpuMsPerPage: number
  /** To ours. */
  readonly ratio: number
}

const WARM_UP_ROUNDS = 2

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * CPU time for a page of each way, in turns over the same pages: whatever else the machine does falls on all of them, and
 * nobody clears away what another has left. The median of the rounds counts.
 */
export async function measure(
  stage: Stage,
  samples: readonly Sample[],
  rounds: number,
  tidy: () => void = collectGarbage,
): Promise<readonly Measured[]> {
  const ways = await stage.ways()
  const running = await Promise.all(ways.map((way) => way.open(samples)))
  const costs = ways.map((): number[] => [])
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    for (const [i, way] of running.entries()) {
      tidy()
      const cpuMs = await roundCost(way, samples, round)
      if (round >= WARM_UP_ROUNDS) costs[i]!.push(cpuMs)
    }
  }
  for (const way of running) await way.close?.()
  const medians = costs.map(median)
  return ways.map(({ name: way }, i) => {
    const cpuMsPerPage = medians[i]!
    return { stage: stage.name, way, cpuMsPerPage, ratio: cpuMsPerPage / medians[0]! }
  })
}

async function roundCost(way: Running, samples: readonly Sample[], round: number): Promise<number> {
  const before = process.cpuUsage()
  for (const [i, sample] of samples.entries()) {
    const work = way.page(sample, round * samples.length + i)
    if (work instanceof Promise) await work
  }
  await way.flush?.()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / samples.length
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
