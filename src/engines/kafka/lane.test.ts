import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lane, type Letter } from './lane.ts'

const letter = (offset: number): Letter => ({ offset: BigInt(offset), key: 'a.test', value: `${offset}` })
const letters = (...offsets: number[]) => offsets.map(letter)
const laneWith = (...offsets: number[]) => {
  const lane = new Lane('urls', 0, 0n, -1n)
  lane.receive(letters(...offsets), BigInt(offsets.at(-1)! + 1))
  return lane
}

test('letters come out in order, each once', () => {
  const lane = laneWith(0, 1, 2)
  assert.deepEqual(
    [...lane.take(2), ...lane.take(2), ...lane.take(2)].map(({ value }) => value),
    ['0', '1', '2'],
  )
})

test('nothing is committed past a letter that is still being handled', () => {
  const lane = laneWith(0, 1, 2, 3)
  lane.take(3)
  lane.handled(2n)
  lane.handled(1n)
  assert.equal(lane.committable, 0n)
  lane.handled(0n)
  assert.equal(lane.committable, 3n, 'the fourth was not even handed out')
})

test('offsets that no letter has are passed over', () => {
  const lane = laneWith(4, 7)
  for (const { offset } of lane.take(10)) lane.handled(offset)
  assert.equal(lane.committable, 8n)
  lane.receive([], 12n)
  assert.equal(lane.committable, 12n)
})

test('an answer that begins before the position repeats nothing', () => {
  const lane = laneWith(0, 1, 2)
  lane.receive(letters(1, 2, 3), 4n)
  assert.equal(lane.waiting, 4)
})

test('a partition that nobody committed is committed where it begins, so that lag can reach zero', () => {
  assert.equal(new Lane('urls', 0, 5n, -1n).mayCommit, true)
  assert.equal(new Lane('urls', 0, 5n, 5n).mayCommit, false)
})

test('a letter that is handled twice, or was never handed out, changes nothing', () => {
  const lane = laneWith(0, 1)
  lane.take(1)
  lane.handled(0n)
  lane.handled(0n)
  lane.handled(1n)
  assert.equal(lane.committable, 1n)
})
