import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from '../crawl/expectation.ts'
import { expectedOf, impatient, startWeb } from '../crawl/remote-crawl.ts'
import { smallWeb } from '../web/presets.ts'
import { sharedEngines, skipWithout, TestFleet, withKafka, withRedis } from './fleet-of-web.ts'
import { causelessIn, repeatsIn } from './repeats.ts'

/** As by default: who had no turn for half of it may have lost it. */
const leaseMs = 20_000
const fleets = [
  { name: 'Redis', engines: withRedis, roles: ['all', 'all', 'all', 'all'] },
  { name: 'Kafka', engines: withKafka, roles: ['all', 'all', 'all', 'all'] },
  { name: 'Kafka, stages apart', engines: withKafka, roles: ['fetch', 'fetch', 'parse', 'parse'] },
] as const

for (const { name, engines, roles } of fleets)
  test(`four workers give exactly the set that one process gives, politely: ${name}`, {
    skip: skipWithout(engines),
  }, async () => {
    await using web = await startWeb(smallWeb)
    await using fleet = await TestFleet.start(web, sharedEngines(engines), { ...impatient, 'url.scope': 'domain' })
    const workers = roles.map((role) => fleet.worker('--role', role))
    await fleet.finished()
    await Promise.all(workers.map((worker) => worker.stop()))
    const expected = await expectedOf(web)
    await using reader = await fleet.reader()
    assert.deepEqual(await differences(reader, expected), [])
    assert.deepEqual(await web.violations(), { robots: [], rate: [] })
    const members = workers.map((worker) => worker.life())
    const repeats = await causelessIn(repeatsIn(await web.log()), { members, leaseMs, records: reader.records })
    assert.deepEqual(repeats, [], 'nothing is fetched twice')
  })
