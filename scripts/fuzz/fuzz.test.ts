import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'
import { mutated } from './mutate.ts'
import { buffers, type Part, promise } from './part.ts'
import { parts } from './parts.ts'
import { Random, seedOf } from './random.ts'

const RUNS = 500

for (const part of parts)
  test(`${part.name} bears ${RUNS} inputs that nobody wrote`, async () => {
    assert.equal((await fuzz(part, { seed: 1, runs: RUNS })).runs, RUNS)
  })

const frail: Part = {
  name: 'frail',
  corpus: buffers('sound'),
  words: ['<'],
  read: (input) => promise(!input.includes('<<'), 'never two in a row'),
}

test('an input that breaks a part is named so that it can be made again', async () => {
  const error = await fuzz(frail, { seed: 3, runs: 100_000 }).catch((cause: Error) => cause)
  assert.ok(error instanceof Error)
  const run = Number(/^frail, seed 3, run (\d+): Broken promise: never two in a row/.exec(error.message)?.[1])
  assert.ok(mutated(frail, new Random(seedOf('frail', 3, run))).includes('<<'))
  await assert.rejects(fuzz(frail, { seed: 3, runs: 1, from: run }))
})

test('a part that is slow is found', async () => {
  const read = () => {
    for (const start = process.threadCpuUsage(); process.threadCpuUsage(start).user < 150_000; );
  }
  const slow = { ...frail, read }
  await assert.rejects(fuzz(slow, { seed: 1, runs: 1 }), /slow|ms for/)
})

test('inputs follow from the seed, differ from each other, and keep to their size', () => {
  const make = (seed: number) =>
    Array.from({ length: 300 }, (_, run) => mutated(parts[0]!, new Random(seedOf('x', seed, run))))
  assert.deepEqual(make(1), make(1))
  assert.ok(new Set(make(1).map(String)).size > 250)
  for (const input of make(2)) assert.ok(input.length <= 200_000)
})
