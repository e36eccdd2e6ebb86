import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import type { Frontier, HostLease } from '../frontier/frontier.ts'
import { Alarms } from './alarms.ts'
import { workerConfig } from './config.ts'
import { Worker } from './worker.ts'

const idle = { admitted: 1, queued: 1, leased: 0, done: 0, excluded: 0, dead: 0 }
const lease = { host: 'a.test' } as unknown as HostLease

function workerOn(frontier: Partial<Frontier>, runSession: () => Promise<boolean>, maxWaitMs = 50) {
  const ending = new AbortController()
  const failures: unknown[] = []
  const clock = systemClock()
  const worker = new Worker({
    ...{ frontier: frontier as Frontier, clock, config: workerConfig.parse({}), maxWaitMs, lookAgainMs: Infinity },
    alarms: new Alarms(clock, ending.signal),
    ...{ runSession, limitReached: () => false, mayLease: () => true, draining: ending.signal },
    fail(error) {
      failures.push(error)
      ending.abort()
    },
  })
  return { worker, failures }
}

test('a frontier that fails ends the crawl once the sessions have ended', async () => {
  let asked = 0
  let sessionEnded = false
  const frontier: Partial<Frontier> = {
    async lease() {
      if (asked++ === 0) return { leases: [lease], nextDueMs: 0 }
      throw new Error('no frontier any more')
    },
  }
  const { worker, failures } = workerOn(frontier, async () => {
    await systemClock().sleep(50)
    sessionEnded = true
    return true
  })
  assert.equal(await worker.run(), 'stopped')
  assert.equal(sessionEnded, true)
  assert.match(String(failures[0]), /no frontier any more/)
})

test('patience is counted in all, not for each wait: hosts that are held again and again are given up', async () => {
  let counts = idle
  let turn = 0
  const patience: number[] = []
  const frontier: Partial<Frontier> = {
    lease: async () => ({ leases: turn++ % 2 === 0 ? [lease] : [], nextDueMs: 30 }),
    underWay: async () => 0,
    finished: async () => counts.queued === 0,
    async abandon(patienceMs) {
      patience.push(patienceMs)
      counts = { ...idle, queued: 0, dead: 1 }
      return 1
    },
  }
  const { worker } = workerOn(frontier, async () => false)
  assert.equal(await worker.run(), 'finished')
  assert.ok(patience[0]! < 30, 'each wait alone would have been within the limit of 50')
})

test('time in which the frontier does not answer does not count as patience with hosts', async () => {
  let answers = 0
  const patience: number[] = []
  const frontier: Partial<Frontier> = {
    async lease() {
      if (++answers === 2) await systemClock().sleep(200)
      return { leases: [], nextDueMs: answers < 3 ? 10 : 1000 }
    },
    underWay: async () => 0,
    finished: async () => patience.length > 0,
    async abandon(patienceMs) {
      patience.push(patienceMs)
      return 1
    },
  }
  const { worker } = workerOn(frontier, async () => false, 100)
  assert.equal(await worker.run(), 'finished')
  assert.equal(patience.length, 1)
  assert.ok(patience[0]! > 0, `${patience[0]} of 100 ms were left after two waits of 10`)
})

test('a session that settled something renews the patience', async () => {
  let sessions = 0
  let abandoned = 0
  const frontier: Partial<Frontier> = {
    lease: async () => ({ leases: sessions < 6 ? [lease] : [], nextDueMs: 20 }),
    underWay: async () => 0,
    finished: async () => sessions >= 6,
    abandon: async () => abandoned++,
  }
  const { worker } = workerOn(frontier, async () => ++sessions > 0)
  assert.equal(await worker.run(), 'finished')
  assert.equal(abandoned, 0)
})
