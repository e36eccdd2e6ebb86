import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const module = new URL('./heap-bounds.ts', import.meta.url).href

/** Much survives each time, which makes V8 want more. */
const work = `
  import { youngBytes } from '${module}'
  let kept = [], most = 0
  for (let turn = 0; turn < 120; turn++) {
    for (let i = 0; i < 20_000; i++) kept.push({ i, text: 'x' + i, list: [i] })
    most = Math.max(most, youngBytes())
    if (turn % 8 === 7) kept = []
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  console.log(most / 2 ** 20)`

/** In a process of its own, since the whole of it is concerned. */
function mostYoungMib(script: string): number {
  const bounded = `import { boundHeap } from '${module}'; boundHeap(2); ${script}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', bounded], {
    encoding: 'utf8',
  })
  assert.match(stdout, /^[\d.]+\s*$/, stderr)
  return Number(stdout)
}

test('young objects of the first thread get 32 MiB at most', () => {
  assert.ok(mostYoungMib(work) <= 33)
})

test('young objects of another thread get 32 MiB at most', () => {
  const inThread = `
    import { Worker } from 'node:worker_threads'
    new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(work)})))`
  assert.ok(mostYoungMib(inThread) <= 33)
})
