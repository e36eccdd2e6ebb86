import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { FuzzResult } from './fuzz/fuzz.ts'
import { parts } from './fuzz/parts.ts'
import type { Assignment } from './fuzz/thread.ts'

/**
 * Feeds the readers of foreign bytes inputs that follow from a seed: `node scripts/fuzz.ts [--runs N] [--seed S] [--from N]
 * [part…]`, the runs shared among the parts. Ends with 1 at the first input that crashes, hangs, is slow or leaves memory behind.
 */
const HANG_MS = 20_000
const MAX_GROWN_BYTES = 32 * 1024 * 1024

type Told = FuzzResult & { readonly grownBytes: number }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
  },
})
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${parts.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const runs = Math.ceil(Number(values.runs) / chosen.length)

let total = 0
for (const { name } of chosen) {
  const { slowest, inputBytes, grownBytes } = await inThread(name)
  total += runs
  console.log(
    `${name.padEnd(18)} ${runs} inputs, ${(inputBytes / 1e6).toFixed(0)} MB; slowest run ${slowest.run}: ` +
      `${slowest.ms.toFixed(1)} ms for ${slowest.bytes} bytes; ${(grownBytes / 1e6).toFixed(1)} MB more in memory`,
  )
  if (grownBytes > MAX_GROWN_BYTES) fail(`${name} leaves memory behind.`)
}
console.log(`${total} inputs, no crash, no hang.`)

function inThread(part: string): Promise<Told> {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const workerData: Assignment = { part, seed: Number(values.seed), runs, from: Number(values.from), progress }
  const worker = new Worker(new URL('./fuzz/thread.ts', import.meta.url), { workerData })
  let seen = -1
  const watch = setInterval(() => {
    const run = Atomics.load(progress, 0)
    if (run === seen && run > 0) fail(`${part}, seed ${values.seed}, run ${run} does not end.`)
    seen = run
  }, HANG_MS)
  return new Promise<Told>((resolve) => {
    worker.once('message', resolve)
    worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)))
  }).finally(() => clearInterval(watch))
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
