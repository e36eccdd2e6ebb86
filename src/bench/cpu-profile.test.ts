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
    startTime: 100,
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
  const stacks = stacksOf({
    nodes: [{ id: 1, callFrame: frame('(root)') }],
    startTime: 0,
    samples: [1, 9, 1],
    timeDeltas: [-5, 7],
  })
  assert.deepEqual(
    stacks.map(({ frames, us }) => [frames.length, us]),
    [
      [1, 0],
      [0, 7],
    ],
  )
})

test('what was seen before a moment is left out', () => {
  const nodes = [
    { id: 1, callFrame: frame('early') },
    { id: 2, callFrame: frame('late') },
  ]
  const stacks = stacksOf({ nodes, startTime: 1000, samples: [1, 2, 2], timeDeltas: [5, 10, 10] }, 1010)
  assert.deepEqual(
    stacks.map(({ frames, us }) => [frames[0]!.functionName, us]),
    [['late', 20]],
  )
})
