import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Database, openDatabase } from '../../../embedded/database.ts'
import { IdQueues } from './id-queues.ts'
import { RecentIds } from './recent-ids.ts'
import { TimeHeap } from './time-heap.ts'

function queuesOn(database: Database): IdQueues {
  database.define('CREATE TABLE queue_chunk (id INTEGER PRIMARY KEY, ids BLOB NOT NULL)')
  return new IdQueues(database)
}

test('queues keep their ids apart and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ queue: fc.nat(4), push: fc.boolean() }), { maxLength: 400 }), (steps) => {
      using database = openDatabase(':memory:')
      const queues = queuesOn(database)
      const models = Array.from({ length: 5 }, () => ({ queue: queues.create(), ids: [] as number[] }))
      let id = 0
      for (const step of steps) {
        const { queue, ids } = models[step.queue]!
        if (step.push) {
          queues.push(queue, ++id)
          ids.push(id)
        } else {
          assert.equal(queues.shift(queue), ids.shift())
        }
        assert.equal(queues.length(queue), ids.length)
      }
    }),
  )
})

test('a queue that was released begins empty when it is used again', () => {
  using database = openDatabase(':memory:')
  const queues = queuesOn(database)
  const first = queues.create()
  queues.push(first, 7)
  queues.shift(first)
  queues.release(first)
  const second = queues.create()
  assert.equal(queues.shift(second), undefined)
  queues.push(second, 8)
  assert.equal(queues.shift(second), 8)
})

test('a long queue keeps its order through the database, and leaves nothing behind', () => {
  using database = openDatabase(':memory:')
  const queues = queuesOn(database)
  const queue = queues.create()
  let pushed = 0
  let taken = 0
  for (const [push, take] of [
    [30_000, 100],
    [5, 29_000],
    [20_000, 20_905],
  ] as const) {
    for (let n = 0; n < push; n++) queues.push(queue, ++pushed)
    for (let n = 0; n < take; n++) assert.equal(queues.shift(queue), ++taken)
    assert.equal(queues.length(queue), pushed - taken)
  }
  assert.equal(queues.shift(queue), undefined)
  assert.equal(database.prepare('SELECT count(*) AS n FROM queue_chunk').get()!.n, 0)
})

test('a heap gives what is due, earliest first, and nothing that is not', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.nat(1000), (times, now) => {
      const heap = new TimeHeap()
      for (const [item, time] of times.entries()) heap.push(time, item)
      const given: number[] = []
      for (let item = heap.popDue(now); item !== undefined; item = heap.popDue(now)) given.push(times[item]!)
      assert.deepEqual(
        given,
        times.filter((time) => time <= now).sort((a, b) => a - b),
      )
    }),
  )
})

test('two URLs with one fingerprint stay two', () => {
  const recent = new RecentIds(4)
  recent.add(42, 1)
  recent.add(42, 2)
  assert.equal(
    recent.find(42, (id) => id === 2),
    2,
  )
  assert.equal(
    recent.find(42, () => false),
    undefined,
  )
  assert.deepEqual([...recent.sorted()], [42, 42])
})
