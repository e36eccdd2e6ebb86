import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFleetReader } from '../../src/fleet/open-reader.ts'
import { readScaling } from '../../src/fleet/scaling-task.ts'
import { differences } from '../crawl/expectation.ts'
import { expectedOf, impatient, startWeb } from '../crawl/remote-crawl.ts'
import type { RemoteWeb } from '../web/remote.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import { causelessIn, repeatsIn } from './repeats.ts'

const startSlowWeb = (seed: string) =>
  startWeb({ seed, hosts: [{ character: 'slow', name: seed, count: 4, pages: 120, gapMs: 250 }] })

/** Workers that make two requests at a time, hand hosts on every few seconds, and cool-downs of seconds. */
const scaled = {
  ...impatient,
  'worker.concurrency': 2,
  'worker.threads': 0,
  'worker.index': false,
  'frontier.leaseMs': 6000,
  'server.listen': '127.0.0.1:0',
  'orchestrator.scaling.pool': 'local',
  'orchestrator.scaling.minWorkers': 1,
  'orchestrator.scaling.maxWorkers': 4,
  'orchestrator.scaling.everyMs': 500,
  'orchestrator.scaling.waitingGraceMs': 500,
  'orchestrator.scaling.upCoolDownMs': 3000,
  'orchestrator.scaling.downCoolDownMs': 6000,
  'orchestrator.scaling.targetCpuShare': 1,
}

test('load doubles, workers follow, none flaps, and what leavers hand back is not lost', {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using web = await startSlowWeb('first')
  await using more = await startSlowWeb('second')
  await using fleet = await TestFleet.start(web, sharedEngines(withRedis), scaled)
  const orchestrator = fleet.orchestrator()
  const wanted: number[] = []
  const lookUntil = async (isOver: () => boolean | Promise<boolean>) => {
    while (!(await isOver())) {
      assert.ok(orchestrator.isAlive, orchestrator.said)
      const report = await readScaling(fleet.fleet)
      if (report && report.wantedWorkers !== wanted.at(-1)) wanted.push(report.wantedWorkers)
      await fleet.fleet.clock.sleep(200)
    }
  }
  await lookUntil(() => wanted.at(-1) === 2)
  await crawlToo(fleet, more)
  await lookUntil(async () => {
    assert.ok(
      (await fleet.fleet.crawls.active()).length > 0,
      `all is done, and ${wanted.join(' → ')} workers were wanted`,
    )
    return wanted.at(-1)! >= 4
  })
  await lookUntil(async () => (await fleet.fleet.crawls.active()).length === 0)
  await lookUntil(() => wanted.at(-1) === 1)
  t.diagnostic(`wanted ${wanted.join(' → ')} workers`)
  const peak = wanted.indexOf(Math.max(...wanted))
  assert.deepEqual(
    wanted.slice(0, peak + 1),
    wanted.slice(0, peak + 1).toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    wanted.slice(peak),
    wanted.slice(peak).toSorted((a, b) => b - a),
  )
  await orchestrator.stop()
  const left = (await fleet.fleet.workers.list()).filter(({ alive }) => alive)
  assert.deepEqual(left, [], 'workers leave with their pool')
  await assertExact(fleet, fleet.crawl, web)
  await assertExact(fleet, 'more', more)
})

async function crawlToo({ fleet, crawl }: TestFleet, web: RemoteWeb): Promise<void> {
  const { orders } = (await fleet.crawls.get(crawl))!
  const config = { ...(orders.config as object), dns: { servers: [web.dns] }, fetch: { caCertificates: [web.caFile] } }
  await fleet.crawls.create('more', { seeds: web.seeds, config, createdAt: Date.now() })
}

async function assertExact({ fleet }: TestFleet, crawl: string, web: RemoteWeb): Promise<void> {
  await using reader = await openFleetReader(fleet, crawl)
  assert.deepEqual(await differences(reader, await expectedOf(web)), [])
  const repeats = await causelessIn(repeatsIn(await web.log()), { records: reader.records })
  assert.deepEqual(repeats, [], 'nothing is fetched twice')
}
