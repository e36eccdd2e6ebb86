import { setImmediate as nextTurn } from 'node:timers/promises'
import { mutated } from './mutate.ts'
import type { Part } from './part.ts'
import { Random, seedOf } from './random.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly runs: number
  /** Number of the first run. */
  readonly from?: number
  /** Called before each run. */
  readonly began?: (run: number) => void
}

export interface FuzzResult {
  readonly runs: number
  readonly inputBytes: number
  readonly slowest: Slowest
}

export interface Slowest {
  readonly run: number
  readonly bytes: number
  readonly ms: number
  /** For each 100 KB of the input; a smaller one counts as so many. */
  readonly share: number
}

/** What a part may take for each 100 KB. */
export const MAX_MS = 100
const UNIT_BYTES = 100_000
/** Streams and buffers are let go between turns of the event loop. */
const TURN_RUNS = 100

/** An input that broke a part. Its number and the seed make it again. */
export class FuzzFault extends Error {}

/** Feeds a part inputs that follow from the seed. Throws a `FuzzFault` for the first that it cannot bear. */
export async function fuzz(part: Part, { seed, runs, from = 0, began }: FuzzOptions): Promise<FuzzResult> {
  let slowest: Slowest = { run: from, bytes: 0, ms: 0, share: 0 }
  let inputBytes = 0
  for (let run = from; run < from + runs; run++) {
    began?.(run)
    if (run % TURN_RUNS === 0) await nextTurn()
    const input = mutated(part, new Random(seedOf(part.name, seed, run)))
    inputBytes += input.length
    const ms = await timeOf(part, input, `${part.name}, seed ${seed}, run ${run}`)
    const share = shareOf(input, ms)
    if (share <= slowest.share) continue
    // It may have paid for others (code compiled, memory collected): what is slow must be slow again.
    const again = Math.min(ms, await timeOf(part, input, ''), await timeOf(part, input, ''))
    if (shareOf(input, again) > slowest.share)
      slowest = { run, bytes: input.length, ms: again, share: shareOf(input, again) }
  }
  if (slowest.share > MAX_MS)
    throw new FuzzFault(
      `${part.name}, seed ${seed}, run ${slowest.run}: ${slowest.ms.toFixed(0)} ms for ${slowest.bytes} bytes`,
    )
  return { runs, inputBytes, slowest }
}

const shareOf = (input: Buffer, ms: number) => ms / Math.max(1, input.length / UNIT_BYTES)

/** Of the processor: on a machine with other work the clock says little. */
async function timeOf(part: Part, input: Buffer, name: string): Promise<number> {
  const start = process.threadCpuUsage()
  try {
    await part.read(input)
  } catch (cause) {
    const opening = JSON.stringify(input.toString('latin1', 0, 200))
    throw new FuzzFault(`${name}: ${(cause as Error).message}: ${opening}`, { cause })
  }
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
