import assert from 'node:assert/strict'
import { test } from 'node:test'
import { impatient, startWeb } from '../crawl/remote-crawl.ts'
import { smallWeb } from '../web/presets.ts'
import { sharedEngines, skipWithout, TestFleet, withRedis } from './fleet-of-web.ts'

const maxPages = 150

test('a limit of pages is exact over all workers, one of which is killed', {
  skip: skipWithout(withRedis),
}, async () => {
  await using web = await startWeb(smallWeb)
  await using fleet = await TestFleet.start(web, sharedEngines(withRedis), {
    ...{ ...impatient, 'url.scope': 'domain', 'limits.maxPages': maxPages, 'frontier.leaseMs': 2000 },
  })
  const [victim, ...workers] = [1, 2, 3].map(() => fleet.worker())
  await using reader = await fleet.reader()
  while (((await reader.ledger.sums()).pages ?? 0) === 0) await fleet.fleet.clock.sleep(20)
  await victim!.kill()
  const orchestrator = fleet.orchestrator()
  await fleet.finished()
  await Promise.all([orchestrator, ...workers].map((member) => member.stop()))
  let pages = 0
  for await (const { kind } of reader.records.scan()) if (kind === 'page') pages++
  assert.deepEqual([pages, (await reader.ledger.sums()).pages], [maxPages, maxPages])
})
