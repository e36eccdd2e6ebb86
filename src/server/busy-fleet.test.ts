import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedEngines, skipWithout, withRedis } from '../../test/fleet/fleet-of-web.ts'
import { loadConfig } from '../config/load.ts'
import { connectFleet } from '../fleet/fleet.ts'
import { offeringFrontier } from '../fleet/open-ports.ts'
import { fleetOperations } from '../orchestrator/adapters/fleet/fleet-operations.ts'
import { createTestBucket } from '../orchestrator/adapters/fleet/test-bucket.ts'
import { openServer } from './server.ts'

const lookMs = 7000
const kinds = ['status-404', 'timeout', 'dns-not-found', 'reset']

test('a viewer of ten thousand pages a second is told as little as one of ten', {
  skip: skipWithout(withRedis),
}, async (t) => {
  const { config } = loadConfig({ overrides: { ...sharedEngines(withRedis), 'server.listen': '127.0.0.1:0' } })
  await createTestBucket(config)
  await using fleet = await connectFleet(config)
  await fleet.crawls.create('busy', { seeds: ['http://a.test/'], config: {}, createdAt: Date.now() })
  await using operations = await fleetOperations(fleet, (line) => t.diagnostic(line))
  await using server = await openServer({ operations, config, log: (line) => t.diagnostic(line) })
  const frontier = offeringFrontier(fleet, { crawl: 'busy', config })

  /** What a viewer receives while the counters of the crawl rise as they do when workers settle so many pages. */
  async function watch(pagesPerSecond: number) {
    const leaving = new AbortController()
    const answer = await fetch(`${server.url}/v1/events`, { signal: leaving.signal })
    let text = ''
    const reading = (async () => {
      for await (const bytes of answer.body!) text += Buffer.from(bytes).toString()
    })().catch((error: unknown) => assert.ok(leaving.signal.aborted, String(error)))
    const beganAt = Date.now()
    for (let added = 0; Date.now() < beganAt + lookMs; await sleep(100)) {
      const pages = Math.round(((Date.now() - beganAt) / 1000) * pagesPerSecond) - added
      added += pages
      const errors = Object.fromEntries(kinds.map((kind) => [`errors.${kind}`, Math.ceil(pages / 10)]))
      await frontier.add({ pages, requests: pages, bytes: pages * 30_000, ...errors })
    }
    leaving.abort()
    await reading
    const events = text.split('\n\n').filter((event) => event.includes('event: snapshot') && event.includes('\ndata: '))
    const rates = events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)).pagesPerSecond as number)
    return { events: events.length, bytes: Math.max(...events.map(({ length }) => length)), rate: Math.max(...rates) }
  }

  const few = await watch(10)
  const many = await watch(10_000)
  t.diagnostic(`at ${few.rate.toFixed(0)} pages/s ${few.events} events of up to ${few.bytes} bytes`)
  t.diagnostic(`at ${many.rate.toFixed(0)} pages/s ${many.events} events of up to ${many.bytes} bytes`)
  assert.ok(many.rate > 100 * few.rate, 'the counters did rise')
  // One at once and one each second, however slow the machine.
  for (const { events } of [few, many]) assert.ok(events >= 2 && events <= lookMs / 1000 + 2, `${events} events`)
  // Numbers have more digits, and that is all.
  assert.ok(many.bytes < few.bytes + 200, `${many.bytes} bytes against ${few.bytes}`)
})
