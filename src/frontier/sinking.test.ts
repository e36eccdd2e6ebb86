import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterPage, isSunk, type Novelty, unknownNovelty } from './sinking.ts'

function after(start: Novelty, pages: number, copies: (page: number) => boolean): Novelty {
  let novelty = start
  for (let page = 0; page < pages; page++) novelty = afterPage(novelty, copies(page))
  return novelty
}

test('a host sinks once nearly all of twenty pages or more are copies', () => {
  assert.equal(isSunk(after(unknownNovelty, 19, () => true)), false)
  assert.equal(isSunk(after(unknownNovelty, 20, () => true)), true)
  assert.equal(isSunk(after(unknownNovelty, 200, (page) => page % 5 !== 0)), false)
})

test('something new lifts it again', () => {
  const sunk = after(unknownNovelty, 500, () => true)
  assert.equal(isSunk(after(sunk, 12, () => false)), false)
})
