import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectedOf, startWeb } from '../crawl/remote-crawl.ts'
import { ownEngine, startRedisCluster } from '../engines.ts'
import { chaosSeed, chaosSettings, smallChaosWeb } from './chaos-web.ts'
import { Crew } from './crew.ts'
import { faultsInFleet } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import { recoveryMs, untilSettled } from './progress.ts'
import { causelessIn, type LeaseFault, repeatsIn } from './repeats.ts'

const settings = { ...chaosSettings, 'politeness.delayMs': 400, 'frontier.leaseMs': 4000 }
const recoversWithinMs = 30_000
/** What a master was told in its last moments may not have reached its replica. */
const unreplicatedMs = 1000

test(`masters of a Redis Cluster die, one after the other, and replicas take over (seed ${chaosSeed})`, {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using cluster = await ownEngine(t, () => startRedisCluster())
  if (!cluster) return
  await using web = await startWeb(smallChaosWeb)
  const expected = await expectedOf(web)
  const { 'engines.redis.url': _single, ...engines } = sharedEngines(withRedis)
  await using fleet = await TestFleet.start(
    web,
    { ...engines, 'engines.redis.cluster': cluster.url.split(',') },
    settings,
  )
  await using reader = await fleet.reader()
  const crew = new Crew(fleet, { workers: 3, orchestrators: 2 })
  const takeOvers: LeaseFault[] = []
  const slow: number[] = []
  for (const n of [0, 1, 2]) {
    await untilSettled(reader, (expected.pages.size * (n + 1)) / 5, () => crew.check())
    assert.equal(await fleet.state(), 'running', 'the web is too small')
    await crew.allAtWork()
    const from = Date.now()
    await cluster.nodes[n]!.kill()
    if (n === 1) await crew.kill('worker', 0.5)
    const tookMs = await recoveryMs(reader, () => crew.check())
    t.diagnostic(`master ${n} killed: all shards are served again after ${(tookMs / 1000).toFixed(1)} s`)
    await cluster.nodes[n]!.restart()
    await sleep(1000)
    takeOvers.push({ from, until: Date.now(), forgetsMs: unreplicatedMs, leaseMs: settings['frontier.leaseMs'] })
    if (tookMs > recoversWithinMs) slow.push(n)
  }
  await fleet.finished()
  await crew.stop()
  for (const remark of crew.remarks) t.diagnostic(remark)

  const repeats = repeatsIn(await web.log())
  t.diagnostic(`${repeats.length} repeated`)
  assert.deepEqual(
    {
      faults: await faultsInFleet(fleet, expected),
      violations: await web.violations(),
      causeless: await causelessIn(repeats, { members: crew.lives(), faults: takeOvers, records: reader.records }),
      slow,
    },
    { faults: [], violations: { robots: [], rate: [] }, causeless: [], slow: [] },
  )
})
