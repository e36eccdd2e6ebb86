import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedHostSettings } from '../../src/fleet/shared/host-settings.ts'
import { impatient, startWeb } from '../crawl/remote-crawl.ts'
import { wideWeb } from '../web/presets.ts'
import { sharedEngines, skipWithout, TestFleet, withKafka, withRedis } from './fleet-of-web.ts'
import type { FleetProcess } from './fleet-process.ts'

const [hosts, pagesOfEach] = [64, 20]
const fail = (error: unknown) => assert.fail(String(error))
const settings = { ...impatient, 'limits.maxWaitMs': 600_000, 'engines.redis.shards': 16 }
const fleets = [
  { name: 'Redis', engines: withRedis, partitions: {} },
  // Kafka shares out partitions: there are enough for all.
  {
    name: 'Kafka',
    engines: withKafka,
    partitions: { 'engines.kafka.partitions': { high: 4, medium: 4, low: 4, pages: 4 } },
  },
] as const

/** As it says itself when the crawl ends. */
const pagesBy = ({ said }: FleetProcess) => Number(/(\d+) pages by this worker/.exec(said)?.[1])

for (const { name, engines, partitions } of fleets)
  test(`of four workers and many hosts each brings its share of the pages: ${name}`, {
    skip: skipWithout(engines),
  }, async () => {
    await using web = await startWeb(wideWeb(hosts, pagesOfEach))
    await using fleet = await TestFleet.start(web, { ...sharedEngines(engines), ...partitions }, settings)
    const { redis: client, clock, engines: names } = fleet.fleet
    const { prefix } = names.redis
    await using decisions = await openSharedHostSettings({ client, prefix, clock, fail })
    await decisions.set('*.test', { pause: true })
    const workers = Array.from({ length: 4 }, () => fleet.worker())
    while (!workers.every(({ said }) => said.includes('begins'))) await clock.sleep(50)
    await decisions.remove('*.test')
    await fleet.finished()
    await Promise.all(workers.map((worker) => worker.stop()))
    const pages = workers.map(pagesBy)
    const all = pages.reduce((sum, of) => sum + of, 0)
    assert.ok(all >= hosts * pagesOfEach, `${pages}`)
    for (const of of pages) assert.ok(of > all / 20, `of ${all} pages they brought ${pages}`)
  })
