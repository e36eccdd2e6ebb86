import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectedOf, startWeb } from '../crawl/remote-crawl.ts'
import { chaosSettings, smallChaosWeb } from './chaos-web.ts'
import { faultsInFleet } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withKafka, withRedis } from './fleet-of-web.ts'
import { untilSettled } from './progress.ts'
import { causelessIn, repeatsIn } from './repeats.ts'

const leaseMs = 4000
const settings = {
  ...chaosSettings,
  ...{ 'frontier.leaseMs': leaseMs, 'politeness.delayMs': 250 },
}
const fleets = { Redis: withRedis, Kafka: withKafka }

for (const [name, engines] of Object.entries(fleets))
  test(`workers that stand still for longer than their leases repeat nothing but what they had under way: ${name}`, {
    skip: skipWithout(engines),
  }, async (t) => {
    await using web = await startWeb(smallChaosWeb)
    const expected = await expectedOf(web)
    await using fleet = await TestFleet.start(web, sharedEngines(engines), settings)
    await using reader = await fleet.reader()
    const workers = [1, 2, 3].map(() => fleet.worker())
    for (const [n, worker] of workers.entries()) {
      await untilSettled(reader, (expected.pages.size * (n + 1)) / 8, () => {})
      assert.equal(await fleet.state(), 'running', 'the web is too small: it has ended')
      worker.pause()
      await sleep(1.5 * leaseMs)
      worker.goOn()
    }
    await fleet.finished()
    await Promise.all(workers.map((worker) => worker.stop()))

    const log = await web.log()
    const repeats = repeatsIn(log)
    t.diagnostic(`${log.length} requests, ${repeats.length} repeated, ${workers.length} pauses`)
    const members = workers.map((worker) => worker.life())
    assert.deepEqual(
      {
        faults: await faultsInFleet(fleet, expected),
        violations: await web.violations(),
        causeless: await causelessIn(repeats, { members, leaseMs, records: reader.records }),
      },
      { faults: [], violations: { robots: [], rate: [] }, causeless: [] },
    )
  })
