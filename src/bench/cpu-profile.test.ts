import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stacksOf } from './cpu-profile.ts'

const frame = (functionName: string) => ({ functionName, url: '' })

test('samples of one place add up, under all its callers', () => {
  const stacks = stacksOf({
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 4] },
      { id: 2, callFrame: frame('outer'), children: [3] },
      { id: 3, callFrame: frame('inner') },
      { id: 4, callFrame: frame('inner') },
    ],
    samples: [3, 4, 3],
    timeDeltas: [10, 20, 30],
  })
  assert.deepEqual(
    stacks.map(({ frames, us }) => [frames.map(({ functionName }) => functionName).join(' < '), us]),
    [
      ['inner < outer < (root)', 40],
      ['inner < (root)', 20],
    ],
  )
})

test('clocks that went back and samples of unknown places do no harm', () => {
  const stacks = stacksOf({ nodes: [{ id: 1, callFrame: frame('(root)') }], samples: [1, 9, 1], timeDeltas: [-5, 7] })
  assert.deepEqual(
    stacks.map(({ frames, us }) => [frames.length, us]),
    [
      [1, 0],
      [0, 7],
    ],
  )
})
