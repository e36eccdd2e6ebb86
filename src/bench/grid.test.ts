import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridMarkdown, gridText } from './grid.ts'

const grid = {
  heads: ['mode', 'pages', 'note'],
  rows: [
    ['one-host', '5', 'a|b'],
    ['x', '1,000', ''],
  ],
}

test('names stand to the left, figures to the right', () => {
  assert.deepEqual(gridText(grid), ['mode      pages  note', 'one-host      5   a|b', 'x         1,000'])
})

test('in Markdown a bar in a cell ends no cell, and words are not aligned as figures', () => {
  assert.deepEqual(gridMarkdown({ ...grid, words: 1 }), [
    '| mode | pages | note |',
    '|---|---:|---|',
    '| one-host | 5 | a\\|b |',
    '| x | 1,000 |  |',
  ])
})
