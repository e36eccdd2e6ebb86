import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Handover, ReaderLeft } from './handover.ts'

const settled = (promise: Promise<unknown>) => Promise.race([promise.then(() => true), Promise.resolve(false)])

test('a giver waits until the reader asks for the next item', async () => {
  const handover = new Handover<string>()
  const given = handover.give('a')
  assert.equal(await handover.take(), 'a')
  assert.equal(await settled(given), false)
  const next = handover.take()
  await given
  handover.give('b')
  assert.equal(await next, 'b')
})

test('items come in the order in which they were given', async () => {
  const handover = new Handover<number>()
  const given = [1, 2, 3].map((item) => handover.give(item))
  assert.deepEqual([await handover.take(), await handover.take(), await handover.take()], [1, 2, 3])
  handover.end()
  assert.equal(await handover.take(), undefined)
  await Promise.all(given)
})

test('a reader that leaves refuses what it has in hand, what waits and what comes later', async () => {
  const handover = new Handover<string>()
  const given = [handover.give('in hand'), handover.give('waiting')]
  await handover.take()
  handover.leave()
  for (const promise of [...given, handover.give('late')]) await assert.rejects(promise, ReaderLeft)
})

test('a failure reaches the reader, though it waits or comes later', async () => {
  const handover = new Handover<string>()
  const waiting = handover.take()
  handover.fail(new Error('no space'))
  await assert.rejects(waiting, /no space/)
  await assert.rejects(handover.take(), /no space/)
})

test('items that were given before the end are still taken', async () => {
  const handover = new Handover<string>()
  const given = handover.give('last')
  handover.end()
  assert.equal(await handover.take(), 'last')
  assert.equal(await handover.take(), undefined)
  await given
})
