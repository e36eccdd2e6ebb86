import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedOf, startWeb } from '../crawl/remote-crawl.ts'
import { chaosSeed, chaosSettings, chaosWeb } from './chaos-web.ts'
import { Crew } from './crew.ts'
import { incidents } from './faults/plan.ts'
import { faultsInFleet, leftAfterReaping } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import { untilSettled } from './progress.ts'
import { causelessIn, repeatsIn } from './repeats.ts'

const counts = { worker: 85, orchestrator: 15, join: 6, leave: 6 }
const kills = counts.worker + counts.orchestrator
const leaseMs = 4000
/** Slow enough that the crawl outlasts them, also where processes start slowly. */
const settings = { ...chaosSettings, 'politeness.delayMs': 500, 'frontier.leaseMs': leaseMs }

test(`${kills} kills of workers and orchestrators in one crawl leave what an undisturbed crawl gives (seed ${chaosSeed})`, {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using web = await startWeb(chaosWeb)
  const expected = await expectedOf(web)
  await using fleet = await TestFleet.start(web, sharedEngines(withRedis), settings)
  await using reader = await fleet.reader()
  const crew = new Crew(fleet, { workers: 4, orchestrators: 2 })
  const began = performance.now()
  for (const { kind, afterPages, victim } of incidents(chaosSeed, expected.pages.size, counts)) {
    // A page that is safe has been fetched a second before: who is killed at once never gets there.
    await crew.atWork(2)
    await untilSettled(reader, afterPages, () => crew.check())
    assert.equal(await fleet.state(), 'running', 'the web is too small: it has ended')
    if (kind === 'join') crew.join()
    else if (kind === 'leave') await crew.leave(victim)
    else await crew.kill(kind, victim)
  }
  const killedMs = performance.now() - began
  await fleet.finished()
  t.diagnostic(
    `${kills} kills in ${Math.round(killedMs / 1000)} s, the end ${Math.round((performance.now() - began - killedMs) / 1000)} s later`,
  )
  await crew.stop()

  const log = await web.log()
  const repeats = repeatsIn(log)
  t.diagnostic(`${log.length} requests, ${repeats.length} repeated, ${(repeats.length / kills).toFixed(1)} a kill`)
  assert.deepEqual(
    {
      unfinished: await leftAfterReaping(fleet.fleet),
      faults: await faultsInFleet(fleet, expected),
      violations: await web.violations(),
      remarks: crew.remarks,
      causeless: await causelessIn(repeats, { members: crew.lives(), leaseMs, records: reader.records }),
    },
    { faults: [], violations: { robots: [], rate: [] }, remarks: [], unfinished: [], causeless: [] },
  )
})
