import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectedOf, startWeb } from '../crawl/remote-crawl.ts'
import { random } from '../web/random.ts'
import { chaosSeed, chaosSettings, chaosWeb } from './chaos-web.ts'
import { Crew } from './crew.ts'
import { type EngineFault, FaultyEngines } from './faulty-engines.ts'
import { faultsInFleet, leftAfterReaping } from './fleet-audit.ts'
import { skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import { recoveryMs, untilSettled } from './progress.ts'
import { causelessIn, type LeaseFault, repeatsIn } from './repeats.ts'

/** Enough is left to do after each fault. */
const settings = { ...chaosSettings, 'politeness.delayMs': 700, 'frontier.leaseMs': 4000 }
/** What is promised. */
const recoversWithinMs = 30_000

test(`every engine fails in the course of one crawl, which ends complete by itself (seed ${chaosSeed})`, {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using web = await startWeb(chaosWeb)
  const expected = await expectedOf(web)
  await using engines = await FaultyEngines.start(chaosSeed)
  await using fleet = await TestFleet.start(web, engines.settings, settings)
  await using reader = await fleet.reader()
  const crew = new Crew(fleet, { workers: 3, orchestrators: 2 })
  const leaseFaults: LeaseFault[] = []
  const slow: string[] = []
  const order = shuffled(Object.keys(engines.faults) as EngineFault[])
  for (const [n, fault] of order.entries()) {
    await untilSettled(reader, (expected.pages.size * (n + 1)) / (order.length + 2), () => crew.check())
    assert.equal(await fleet.state(), 'running', `the web is too small: it ended before ${fault}`)
    await crew.allAtWork()
    const from = Date.now()
    await engines.faults[fault]()
    const until = Date.now()
    const tookMs = await recoveryMs(reader, () => crew.check())
    t.diagnostic(`${fault} for ${((until - from) / 1000).toFixed(1)} s: recovered in ${(tookMs / 1000).toFixed(1)} s`)
    if (tookMs > recoversWithinMs) slow.push(fault)
    const forgets = fault.includes('forgets') && { leaseMs: settings['frontier.leaseMs'] }
    if (fault.includes('redis')) leaseFaults.push({ from, until: Date.now(), ...forgets })
  }
  await fleet.finished()
  await crew.stop()
  for (const remark of crew.remarks) t.diagnostic(remark)

  const log = await web.log()
  const repeats = repeatsIn(log)
  t.diagnostic(`${log.length} requests, ${repeats.length} repeated`)
  assert.deepEqual(
    {
      unfinished: await leftAfterReaping(fleet.fleet),
      faults: await faultsInFleet(fleet, expected),
      violations: await web.violations(),
      causeless: await causelessIn(repeats, { members: crew.lives(), faults: leaseFaults, records: reader.records }),
      slow,
    },
    { unfinished: [], faults: [], violations: { robots: [], rate: [] }, causeless: [], slow: [] },
  )
})

function shuffled<T>(list: readonly T[]): T[] {
  const chance = random('order of faults', chaosSeed)
  const left = [...list]
  return list.map(() => left.splice(chance.below(left.length), 1)[0]!)
}
