import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetReader } from '../../src/fleet/open-reader.ts'
import { impatient, startWeb } from '../crawl/remote-crawl.ts'
import { smallWeb } from '../web/presets.ts'
import { indexedUrls } from './fleet-audit.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'
import type { FleetProcess } from './fleet-process.ts'
import { untilSettled } from './progress.ts'

const maxPages = 150
const leaseMs = 2000

/** What happens while workers are busy. */
const mishaps: Readonly<Record<string, (workers: readonly FleetProcess[], reader: FleetReader) => Promise<void>>> = {
  'one of them is killed': async ([victim]) => victim!.kill(),
  async 'all of them sleep past their leases, again and again'(workers, reader) {
    for (let pages = 40; pages <= 60; pages += 10) {
      await untilSettled(reader, pages, () => {})
      for (const worker of workers) worker.pause()
      await sleep(1.5 * leaseMs)
      for (const worker of workers) worker.goOn()
      await sleep(300)
    }
  },
}

for (const [mishap, befalls] of Object.entries(mishaps))
  test(`a limit of pages is exact over all workers, also when ${mishap}`, {
    skip: skipWithout(withRedis),
  }, async () => {
    await using web = await startWeb(smallWeb)
    await using fleet = await TestFleet.start(web, sharedEngines(withRedis), {
      ...{ ...impatient, 'url.scope': 'domain', 'limits.maxPages': maxPages, 'frontier.leaseMs': leaseMs },
    })
    await using reader = await fleet.reader()
    const workers = [1, 2, 3].map(() => fleet.worker())
    await untilSettled(reader, 1, () => {})
    await befalls(workers, reader)
    const orchestrator = fleet.orchestrator()
    await fleet.finished()
    await Promise.all([orchestrator, ...workers].filter(({ isAlive }) => isAlive).map((member) => member.stop()))
    const pages = new Set<string>()
    for await (const { kind, url } of reader.records.scan()) if (kind === 'page') pages.add(url)
    assert.deepEqual([pages.size, (await reader.ledger.sums()).pages], [maxPages, maxPages])
    const strays = (await indexedUrls(fleet.fleet, fleet.crawl)).filter((url) => !pages.has(url))
    assert.deepEqual(strays, [], 'nothing is found that is no page of the crawl')
  })
