import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Together } from './together.ts'

async function walk(together: Together, name: string, steps: string[]): Promise<void> {
  await together.leave()
  for (let step = 1; step <= 3; step++) {
    steps.push(`${name}${step}`)
    await undefined
  }
}

test('those who came in one turn of the loop go on step by step', async () => {
  const together = new Together()
  const steps: string[] = []
  await Promise.all(['a', 'b', 'c'].map((name) => walk(together, name, steps)))
  assert.deepEqual(steps, ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'])
})

test('who comes later leaves later, and waits for nobody', async () => {
  const together = new Together()
  const steps: string[] = []
  const first = walk(together, 'a', steps)
  await nextTurn()
  await Promise.all([first, walk(together, 'b', steps)])
  assert.deepEqual(steps, ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
})
