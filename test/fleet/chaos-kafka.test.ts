import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectedOf, startWeb } from '../crawl/remote-crawl.ts'
import { ownEngine, startKafka } from '../engines.ts'
import { chaosSeed, chaosSettings, smallChaosWeb } from './chaos-web.ts'
import { Crew } from './crew.ts'
import { incidents } from './faults/plan.ts'
import { faultsInFleet } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withKafka } from './fleet-of-web.ts'
import { recoveryMs, untilSettled } from './progress.ts'
import { causelessIn, repeatsIn } from './repeats.ts'

const counts = { 'kill broker': 1, 'kill worker': 2, 'kill orchestrator': 1, join: 1, leave: 1 }
const brokerAwayMs = 3000
/** What is promised. */
const recoversWithinMs = 30_000
/** Leases that outlast a rebalance on a busy machine. */
const settings = { ...chaosSettings, 'politeness.delayMs': 300, 'frontier.leaseMs': 6000 }

const crews = [
  { name: 'each does everything', workers: 3, args: [[]] },
  {
    name: 'stages apart',
    workers: 4,
    args: [
      ['--role', 'fetch'],
      ['--role', 'parse'],
    ],
  },
]

describe('a fleet on Kafka', () => {
  for (const { name, workers, args } of crews)
    it(`goes on when its broker dies while workers die, join and leave: ${name} (seed ${chaosSeed})`, {
      skip: skipWithout(withKafka),
    }, async (t) => {
      await using kafka = await ownEngine(t, () => startKafka())
      if (!kafka) return
      await using web = await startWeb(smallChaosWeb)
      const expected = await expectedOf(web)
      const engines = { ...sharedEngines(withKafka), 'engines.kafka.brokers': [kafka.url] }
      await using fleet = await TestFleet.start(web, engines, settings)
      await using reader = await fleet.reader()
      const crew = new Crew(fleet, { workers, orchestrators: 1, args })
      const slow: string[] = []
      for (const { kind, afterPages, victim } of incidents(chaosSeed, expected.pages.size, counts)) {
        await crew.atWork(2)
        await untilSettled(reader, afterPages, () => crew.check())
        assert.equal(await fleet.state(), 'running', `the web is too small: it ended before ${kind}`)
        if (kind === 'join') crew.join()
        else if (kind === 'leave') await crew.leave(victim)
        else if (kind !== 'kill broker') await crew.kill(kind === 'kill worker' ? 'worker' : 'orchestrator', victim)
        else {
          await crew.allAtWork()
          await kafka.kill()
          await sleep(brokerAwayMs)
          await kafka.restart()
          const tookMs = await recoveryMs(reader, () => crew.check())
          t.diagnostic(
            `the broker was away for ${brokerAwayMs / 1000} s and started: recovered in ${(tookMs / 1000).toFixed(1)} s`,
          )
          if (tookMs > recoversWithinMs) slow.push(kind)
        }
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
          causeless: await causelessIn(repeats, { members: crew.lives(), records: reader.records }),
          slow,
        },
        { faults: [], violations: { robots: [], rate: [] }, causeless: [], slow: [] },
      )
    })
})
