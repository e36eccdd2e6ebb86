import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VisitEntry } from '../../src/store/url-record.ts'
import type { LogEntry } from '../web/log.ts'
import type { MemberLife } from './member-life.ts'
import { type CrawlStory, causelessIn, repeatsIn } from './repeats.ts'

const url = 'http://a.test/x'
const asked = (wallMs: number, madeBy: number, status = 200) => ({ url, wallMs, madeBy, status }) as LogEntry
const member = (pid: number, killedAt?: number, settledAt?: number): MemberLife => ({
  ...{ pid, killedAt, pauses: [], settlementsOf: () => [], robotsFailures: () => 0 },
  settledAt: (_url, after) => (settledAt !== undefined && settledAt >= after ? settledAt : undefined),
})
const visitsOf = (...kinds: VisitEntry['kind'][]): CrawlStory['records'] => ({
  visits: async () => kinds.map((kind) => ({ kind }) as VisitEntry),
})
const causeless = (log: readonly LogEntry[], story: Partial<CrawlStory>) =>
  causelessIn(repeatsIn(log), { records: visitsOf('page'), ...story })
const twice = [asked(1000, 7), asked(5000, 8)]

test('a page that is asked for twice needs a reason', async () => {
  assert.equal((await causeless(twice, { members: [member(7), member(8)] })).length, 1)
  assert.deepEqual(await causeless([asked(1000, 7)], {}), [])
})

test('the death of who asked first is one; that of anybody else, or after the second request, is none', async () => {
  assert.deepEqual(await causeless(twice, { members: [member(7, 2000), member(8)] }), [])
  assert.equal((await causeless(twice, { members: [member(7), member(8), member(9, 2000)] })).length, 1)
  assert.equal((await causeless(twice, { members: [member(7, 6000), member(8)] })).length, 1)
})

test('an answer that asks to come again is one, and so is an attempt that failed on its way', async () => {
  assert.deepEqual(await causeless([asked(1000, 7, 503), asked(5000, 8)], {}), [])
  assert.deepEqual(await causeless(twice, { records: visitsOf('failed', 'page') }), [])
  const thrice = [...twice, asked(9000, 8)]
  assert.equal((await causeless(thrice, { records: visitsOf('failed', 'page') })).length, 2, 'one failure, two repeats')
})

test('a pause of who asked first is one, if it outlasts the lease and nothing was settled', async () => {
  const paused = (from: number, until: number, settledAt?: number) => ({
    leaseMs: 2000,
    members: [{ ...member(7, undefined, settledAt), pauses: [{ from, until }] }, member(8)],
  })
  assert.deepEqual(await causeless(twice, paused(1100, 4000)), [])
  assert.equal((await causeless(twice, paused(1100, 2000))).length, 1, 'too short')
  assert.equal((await causeless(twice, paused(1100, 4000, 1050))).length, 1, 'settled before')
  assert.equal((await causeless(twice, paused(6000, 9000))).length, 1, 'after the second request')
  const heldBack = (protocol: LogEntry['protocol'], wallMs: number) => [
    { ...asked(wallMs, 7), protocol },
    asked(9000, 8),
  ]
  assert.deepEqual(await causeless(heldBack('h2', 4020), paused(1100, 4000)), [], 'written when the pause was over')
  assert.equal((await causeless(heldBack('http/1.1', 4020), paused(1100, 4000))).length, 1, 'written as it is begun')
  assert.equal((await causeless(heldBack('h2', 4200), paused(1100, 4000))).length, 1, 'begun after the pause')
  const awake = [asked(1000, 8), asked(5000, 7)]
  assert.equal((await causeless(awake, paused(900, 4500))).length, 1, 'it woke up and asked for what was not its own')
})

test('a robots.txt that could not be had, as its asker says, is asked for again as often', async () => {
  const robots = (entries: readonly LogEntry[]) =>
    entries.map((entry) => ({ ...entry, url: 'http://a.test/robots.txt' }))
  const failed: MemberLife = { ...member(7), robotsFailures: (origin) => (origin === 'http://a.test' ? 1 : 0) }
  const story = { members: [failed], records: visitsOf() }
  assert.deepEqual(await causeless(robots(twice), story), [])
  assert.equal((await causeless(robots([...twice, asked(9000, 8)]), story)).length, 2)
  assert.equal((await causeless(twice, story)).length, 1, 'it is another file')
})

test('a fault of the engine is one for visits that it interrupted, and for settlements that it forgot', async () => {
  const faults = [{ from: 2000, until: 3000 }]
  assert.deepEqual(await causeless(twice, { members: [member(7)], faults }), [])
  assert.equal((await causeless(twice, { members: [member(7, undefined, 1500)], faults })).length, 1, 'settled before')
  const forgetful = [{ from: 2000, until: 3000, forgetsMs: 1000 }]
  assert.deepEqual(await causeless(twice, { members: [member(7, undefined, 1500)], faults: forgetful }), [])
  const late = [asked(3500, 7), asked(5000, 8)]
  assert.equal((await causeless(late, { members: [member(7)], faults })).length, 1, 'it was over')
  const ofLeases = [{ from: 2000, until: 3000, leaseMs: 1000 }]
  assert.deepEqual(await causeless(late, { members: [member(7, undefined, 4000)], faults: ofLeases }), [])
})
