import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FleetReader } from '../../src/fleet/open-reader.ts'
import type { CanonicalUrl } from '../../src/url/keys.ts'
import { impatient, startWeb } from '../crawl/remote-crawl.ts'
import { indexedUrls } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withKafka, withRedis } from './fleet-of-web.ts'

const dayMs = 86_400_000
const web = { seed: 'fleet-news', hosts: [{ character: 'changing', name: 'news', count: 2, pages: 6 }] } as const
const pages = 2 * 7
const settings = { ...impatient, 'recrawl.minMs': 500, 'server.listen': '127.0.0.1:0' }

const fleets = [
  { name: 'Redis', engines: withRedis, roles: ['all', 'all'] },
  { name: 'Kafka, stages apart', engines: withKafka, roles: ['fetch', 'parse'] },
] as const

for (const { name, engines, roles } of fleets)
  test(`a fleet visits pages again, and goes on when its leader is killed: ${name}`, {
    skip: skipWithout(engines),
  }, async () => {
    await using internet = await startWeb(web)
    await using fleet = await TestFleet.start(internet, sharedEngines(engines), settings)
    const { clock, crawls } = fleet.fleet
    const leader = fleet.orchestrator('--id', 'first')
    const workers = roles.map((role) => fleet.worker('--role', role))
    await using reader = await fleet.reader()
    const revisited = async (times: number) => {
      const already = (await reader.ledger.sums()).revisits ?? 0
      while (((await reader.ledger.sums()).revisits ?? 0) < already + times) await clock.sleep(100)
    }
    await revisited(pages)
    assert.equal(await fleet.state(), 'running')
    const { pages: brought, unchanged } = await reader.ledger.sums()
    assert.equal(brought, pages)
    assert.ok(unchanged! > 0)
    const log = await internet.log()
    assert.ok(
      log.some(({ status }) => status === 304),
      'asked whether it has changed',
    )

    await internet.advance(3 * dayMs)
    await leader.kill()
    const second = fleet.orchestrator('--id', 'second')
    for (const host of ['news-1', 'news-2']) await seen(reader, new URL(internet.seeds[0]!).port, host)
    await crawls.setState(fleet.crawl, 'stopping', '', { from: ['running'] })
    while ((await fleet.state()) !== 'stopped') await clock.sleep(100)
    await Promise.all([...workers, second].map((member) => member.stop()))

    const { admitted, dead, queued } = await reader.ledger.counts()
    assert.deepEqual({ admitted, dead }, { admitted: pages + 2, dead: 0 })
    assert.ok(queued <= admitted)
    const found = (await indexedUrls(fleet.fleet, fleet.crawl)).map((url) => new URL(url).pathname)
    assert.ok(found.includes('/newcomer') && !found.includes('/passing'), found.join(' '))
    assert.deepEqual(await internet.violations(), { robots: [], rate: [] })
  })

/** Resolves when the fleet has seen what came and what went. */
async function seen({ records }: FleetReader, port: string, host: string): Promise<void> {
  const page = (path: string) => `http://${host}.test:${port}${path}` as CanonicalUrl
  for (;;) {
    const [passing, newcomer] = await Promise.all([records.get(page('/passing')), records.get(page('/newcomer'))])
    if (passing?.status === 410 && newcomer?.kind === 'page') return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
