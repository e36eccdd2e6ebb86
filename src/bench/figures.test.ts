import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { figuresOf, median, stageCosts, unattributedShare } from './figures.ts'
import { runOf } from './runs.fixture.ts'

const kept = { archiveBytes: 2_000_000, databaseBytes: 1_000_000 }
const round = (cpuMs: number) => ({ run: runOf({ cpuMs }), kept, siteCpuMs: 250 })

test('the median of the rounds counts, and the range is told', () => {
  const figures = figuresOf([round(400), round(300), round(900)], undefined)
  assert.equal(figures.cpuMsPerPage, 4)
  assert.deepEqual(figures.cpuMsPerPageRange, [3, 9])
  assert.equal(figures.pagesPerCpuSecond, 250)
  assert.equal(figures.pagesPerSecond, 100)
  assert.equal(figures.crawlerBusy, 0.4)
  assert.equal(figures.siteBusy, 0.25)
  assert.equal(figures.archiveBytesPerPage, 20_000)
  assert.equal(figures.databaseBytesPerPage, 10_000)
  assert.equal(figures.writtenBytesPerPage, null)
  assert.deepEqual(figures.stages, [])
})

test('the median of an even number of values lies between the middle two', () => {
  assert.equal(median([9, 1, 3, 5]), 4)
})

test('the samples of one run share out the CPU of the other', () => {
  const plain = runOf({ cpuMs: 1000, engineMs: 100 })
  const profiled = runOf({ cpuMs: 1500, us: { '/src/parse/a.ts': 600_000, '/src/index/b.ts': 300_000 } })
  const costs = Object.fromEntries(stageCosts(plain, profiled).map(({ stage, cpuMsPerPage }) => [stage, cpuMsPerPage]))
  assert.equal(costs.parse, 6)
  assert.equal(costs.index, 3)
  assert.equal(costs['engine threads'], 1)
})

test('start-up costs what it does in the profiled run, since it happens once however many pages come', () => {
  const profiled = runOf({ us: { 'node:internal/modules/esm/loader': 200_000, '/src/parse/a.ts': 100_000 } })
  const [parse, start] = stageCosts(runOf({ cpuMs: 1000 }), profiled)
  assert.deepEqual([parse!.stage, parse!.cpuMsPerPage], ['parse', 8])
  assert.deepEqual([start!.stage, start!.cpuMsPerPage], ['start-up', 2])
})

test('time that other processes had is not taken for start-up', () => {
  const us = { 'node:internal/modules/esm/loader': 200_000, '/src/parse/a.ts': 100_000 }
  const costs = stageCosts(runOf({ cpuMs: 1000 }), runOf({ cpuMs: 150, us }))
  assert.equal(costs.find(({ stage }) => stage === 'start-up')!.cpuMsPerPage, 1)
})

test('stages sum up to the CPU of the run, and none is below nothing', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(
      amount,
      amount,
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 0, max: 500 }),
      (a, b, c, e) => {
        const us = { '/src/parse/a.ts': c, '/src/url/b.ts': a, 'node:x': b }
        const costs = stageCosts(runOf({ cpuMs: 2000, engineMs: e, poolMs: 10 }), runOf({ us }))
        for (const { cpuMsPerPage } of costs) assert.ok(cpuMsPerPage >= 0)
        const all = costs.reduce((sum, { cpuMsPerPage }) => sum + cpuMsPerPage, 0)
        assert.ok(Math.abs(all - 20) < 1e-6, String(all))
      },
    ),
  )
})

test('stages sum up to the median also of an even number of rounds', () => {
  const { cpuMsPerPage, stages } = figuresOf([round(300), round(500)], runOf({ us: { '/src/parse/a.ts': 10 } }))
  assert.equal(cpuMsPerPage, 4)
  assert.equal(
    stages.reduce((sum, stage) => sum + stage.cpuMsPerPage, 0),
    4,
  )
})

test('a profile without samples gives no stages', () => {
  assert.deepEqual(stageCosts(runOf({}), runOf({})), [])
})

test('the share that nothing explains is told', () => {
  const costs = stageCosts(runOf({}), runOf({ us: { '/src/parse/a.ts': 900, 'node:x': 100 } }))
  assert.ok(Math.abs(unattributedShare(costs) - 0.1) < 1e-9)
  assert.equal(unattributedShare([]), 0)
})
