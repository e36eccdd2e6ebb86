import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Autoscaler, type Sighting } from './autoscaler.ts'
import { scalingConfig } from './scaling-config.ts'
import { Urges } from './urges.ts'
import type { PoolWorker, WorkerPool } from './worker-pool.ts'

function worker(id: string, told: Partial<PoolWorker> = {}): PoolWorker {
  const stats = { openHosts: 10, waitingHosts: 0, cpuMs: 0, cores: 1, rssBytes: 1, memoryBytes: 10 }
  return { id, host: 'machine', role: 'all', alive: true, silentMs: 500, stats, ...told }
}

/** A pool that owns those whose names begin with `own`, and writes down what it is asked. */
function poolOf(size: number) {
  const asked: string[] = []
  const pool: WorkerPool = {
    size: async () => size,
    scaleTo: async (count) => void asked.push(`scale to ${count}`),
    owns: ({ id }) => id.startsWith('own'),
    standDown: async () => 0,
    replace: async ({ id }) => void asked.push(`replace ${id}`),
    async [Symbol.asyncDispose]() {},
  }
  return { pool, asked }
}

function scalerOf(settings: object, pool?: WorkerPool) {
  const said: string[] = []
  const urges = new Urges()
  const config = scalingConfig.parse({ maxWorkers: 10, ...settings })
  return { said, urges, scaler: new Autoscaler({ config, pool, urges, log: (line) => said.push(line) }) }
}

const seen = (workers: readonly PoolWorker[], rest: Partial<Sighting> = {}): Sighting => ({
  ...{ workers, runningCrawls: 1, heldHosts: 10 * workers.length, waitingHosts: 0, oldestWaitMs: 0, ...rest },
})

test('workers that others started count, and only the pool’s own come and go', async () => {
  const { pool, asked } = poolOf(1)
  const { scaler, said } = scalerOf({}, pool)
  const { wantedWorkers } = await scaler.look(seen([worker('own-1'), worker('foreign')], { waitingHosts: 20 }), 0)
  assert.equal(wantedWorkers, 4)
  assert.deepEqual(asked, ['scale to 3'])
  assert.match(said.join(), /changes from 2 to 4 workers \(20 hosts wait, 20 are served by 2 workers\)/)
})

test('hosts whose holder is busy with others wait too', async () => {
  const { scaler } = scalerOf({})
  const busy = worker('a', { stats: { openHosts: 40, waitingHosts: 30 } })
  const { wantedWorkers, waitingHosts, servedHosts } = await scaler.look(seen([busy], { heldHosts: 40 }), 0)
  assert.deepEqual([wantedWorkers, waitingHosts, servedHosts], [2, 30, 10])
})

test('CPU is what was used between two signs of life, as a share of the cores', async () => {
  const { scaler } = scalerOf({})
  const at = (cpuMs: number) => seen([worker('a', { stats: { cpuMs, cores: 2, openHosts: 1, waitingHosts: 0 } })])
  assert.equal((await scaler.look(at(1000), 0)).cpuShare, null)
  const { cpuShare, wantedWorkers } = await scaler.look(at(11_000), 5000)
  assert.equal(cpuShare, 1)
  assert.equal(wantedWorkers, 2)
})

test('a worker of the pool that has been silent for long is replaced, and one of others is not', async () => {
  const { pool, asked } = poolOf(1)
  const { scaler } = scalerOf({}, pool)
  const silent = { alive: false, silentMs: 70_000 }
  await scaler.look(seen([worker('own-1', silent), worker('foreign', silent), worker('own-2')]), 0)
  assert.deepEqual(asked, ['replace own-1', 'scale to 1'])
})

test('a dry run says what it would do, and does nothing', async () => {
  const { pool, asked } = poolOf(1)
  const { scaler, said } = scalerOf({ dryRun: true }, pool)
  const report = await scaler.look(seen([worker('own-1')], { waitingHosts: 10 }), 0)
  assert.equal(report.dryRun, true)
  assert.deepEqual(asked, [])
  assert.match(said.join(), /would change from 1 to 2 workers/)
})

test('where no pool is, it says what is wanted of whoever starts workers', async () => {
  const { scaler, said } = scalerOf({})
  await scaler.look(seen([worker('a')], { waitingHosts: 10 }), 0)
  assert.match(said.join(), /2 workers wanted, 1 there \(/)
})

test('an alert’s wish brings one worker more, once, and not beyond the limit', async () => {
  const { pool, asked } = poolOf(1)
  const { scaler, urges } = scalerOf({ maxWorkers: 2 }, pool)
  const sighting = seen([worker('own-1', { stats: { cpuMs: 0, openHosts: 10, waitingHosts: 0 } })])
  urges.add(1)
  assert.equal((await scaler.look(sighting, 0)).wantedWorkers, 2)
  urges.add(1)
  assert.equal((await scaler.look(sighting, 1000)).wantedWorkers, 2)
  assert.deepEqual(asked, ['scale to 2', 'scale to 2'])
})

test('workers that only parse are not counted: hosts do not wait for them', async () => {
  const { scaler } = scalerOf({})
  const { workers } = await scaler.look(seen([worker('a'), worker('p', { role: 'parse' })]), 0)
  assert.equal(workers, 1)
})
