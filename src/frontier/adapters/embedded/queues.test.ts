import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDatabase } from '../../../embedded/database.ts'
import { IdArena, IdFifo } from './id-arena.ts'
import { RecentIds } from './recent-ids.ts'
import { SpillingQueue } from './spilling-queue.ts'
import { TimeHeap } from './time-heap.ts'

test('queues that share an arena keep their ids apart and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ queue: fc.nat(4), push: fc.boolean() }), { maxLength: 400 }), (steps) => {
      const arena = new IdArena()
      const queues = Array.from({ length: 5 }, () => ({ real: new IdFifo(arena), model: [] as number[] }))
      let id = 0
      for (const step of steps) {
        const { real, model } = queues[step.queue]!
        if (step.push) {
          real.push(++id)
          model.push(id)
        } else {
          assert.equal(real.shift(), model.shift())
        }
        assert.equal(real.length, model.length)
      }
    }),
  )
})

test('a long queue keeps its order through the database, and leaves nothing behind', () => {
  using database = openDatabase(':memory:')
  database.define('CREATE TABLE queue_chunk (id INTEGER PRIMARY KEY, ids BLOB NOT NULL)')
  const queue = new SpillingQueue(database, new IdArena())
  let pushed = 0
  let taken = 0
  for (const [push, take] of [
    [30_000, 100],
    [5, 29_000],
    [20_000, 20_905],
  ] as const) {
    for (let n = 0; n < push; n++) queue.push(++pushed)
    for (let n = 0; n < take; n++) assert.equal(queue.shift(), ++taken)
    assert.equal(queue.length, pushed - taken)
  }
  assert.equal(queue.shift(), undefined)
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
