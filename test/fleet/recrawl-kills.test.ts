import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { configOf } from '../../src/fleet/crawl-orders.ts'
import { offeringFrontier } from '../../src/fleet/open-ports.ts'
import type { FleetReader } from '../../src/fleet/open-reader.ts'
import { impatient, startWeb } from '../crawl/remote-crawl.ts'
import { random } from '../web/random.ts'
import { chaosSeed } from './chaos-web.ts'
import { Crew } from './crew.ts'
import { indexedUrls } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'

const dayMs = 86_400_000
const hosts = 4
const web = { seed: 'fleet-news', hosts: [{ character: 'changing', name: 'news', count: hosts, pages: 12 }] } as const
/** With the home page of each host. */
const pages = hosts * 13
const settings = {
  ...impatient,
  ...{ 'politeness.delayMs': 50, 'recrawl.minMs': 500, 'frontier.leaseMs': 2000, 'server.listen': '127.0.0.1:0' },
}
/** Two of three are workers. */
const kills = 9

test(`workers and leaders are killed while pages are visited again: each goes on being visited (seed ${chaosSeed})`, {
  skip: skipWithout(withRedis),
}, async (t) => {
  await using internet = await startWeb(web)
  await using fleet = await TestFleet.start(internet, sharedEngines(withRedis), settings)
  await using reader = await fleet.reader()
  const crew = new Crew(fleet, { workers: 3, orchestrators: 2 })
  await revisited(reader, pages)
  const chance = random('kills of a recrawl', chaosSeed)
  for (let kill = 0; kill < kills; kill++) {
    if (kill === kills >> 1) await internet.advance(3 * dayMs)
    await crew.atWork(2)
    await revisited(reader, 1 + chance.below(pages / 2))
    await crew.kill(kill % 3 === 2 ? 'orchestrator' : 'worker', chance.below(1000) / 1000)
  }
  const lastKillAt = Date.now()
  while ((await leftAlone(reader, lastKillAt)).length > 0) await sleep(500)
  t.diagnostic(`everything was visited again ${Math.round((Date.now() - lastKillAt) / 1000)} s after the last kill`)
  const { orders } = (await fleet.fleet.crawls.get(fleet.crawl))!
  await fleet.fleet.crawls.setState(fleet.crawl, 'stopping', '', { from: ['running'] })
  while ((await fleet.state()) !== 'stopped') await sleep(100)
  await crew.stop()

  const { admitted, queued, leased, done, dead, excluded } = await reader.ledger.counts()
  const config = configOf(orders, fleet.fleet.engines)
  const revisiting = await offeringFrontier(fleet.fleet, { crawl: fleet.crawl, config }).revisiting()
  const sums = await reader.ledger.sums()
  const searchable = await searchableIn(reader)
  assert.deepEqual(
    {
      ...{ admitted, leased, dead, excluded, done: done + queued, waiting: queued - revisiting, pages: sums.pages },
      found: (await indexedUrls(fleet.fleet, fleet.crawl)).sort(),
      violations: await internet.violations(),
      // Whoever sees it first says that it has stopped, as it was told to.
      remarks: crew.remarks.filter((line) => !line.endsWith(': stopped')),
    },
    {
      // A page has come on each host, and one has gone.
      ...{ admitted: pages + hosts, leased: 0, dead: 0, excluded: 0, done: pages + hosts, waiting: 0 },
      ...{ pages: pages + hosts, found: searchable, violations: { robots: [], rate: [] }, remarks: [] },
    },
  )
})

/** Resolves when so many more pages have been visited again. */
async function revisited({ ledger }: FleetReader, times: number): Promise<void> {
  const already = (await ledger.sums()).revisits ?? 0
  while (((await ledger.sums()).revisits ?? 0) < already + times) await sleep(100)
}

/** What nobody has visited since a moment, of all that has not gone for good. */
async function leftAlone({ records }: FleetReader, since: number): Promise<string[]> {
  const left: string[] = []
  for await (const { url, next } of records.scan()) {
    const visits = await records.visits(url)
    if (next?.dueAt !== null && visits.at(-1)!.at < since) left.push(url)
  }
  return left
}

async function searchableIn({ records }: FleetReader): Promise<string[]> {
  const urls: string[] = []
  for await (const { url, kind, duplicateOf } of records.scan()) if (kind === 'page' && !duplicateOf) urls.push(url)
  return urls.sort()
}
