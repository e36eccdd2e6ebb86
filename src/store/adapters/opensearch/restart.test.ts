import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownEngine, startOpenSearch } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import { openClient } from '../../../engines/opensearch/client.ts'
import { openSearchForTests, testConfig } from '../../../engines/opensearch/test-engine.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { recordsOf } from '../../record-store.conformance.ts'
import { blankRecord } from '../../url-record.fixture.ts'
import { openSearchRecords } from './opensearch-records.ts'

const urlOf = (number: number) => `https://a.test/${number}` as CanonicalUrl
const visitAt = (at: number) => ({ at, kind: 'page', status: 200, durationMs: 1, bytes: 1, detail: '' }) as const

test('an engine killed while it writes loses nothing, and writing goes on by itself when it is back', {
  skip: openSearchForTests.skip,
}, async (t) => {
  await using running = await ownEngine(t, () => startOpenSearch())
  if (!running) return
  await using engine = openClient(testConfig({ urls: [running.url] }), systemClock())
  const records = await openSearchRecords(engine, 'killed')
  let stored = 0
  let isOver = false
  const storing = (async () => {
    while (!isOver) {
      for (let i = 0; i < 50; i++, stored++)
        await records.put(urlOf(stored), visitAt(stored), blankRecord(urlOf(stored), { text: 'word '.repeat(200) }))
      await records.flush()
    }
  })()
  while (stored < 500) await new Promise((resolve) => setTimeout(resolve, 20))
  await running.kill()
  await running.restart()
  const back = stored
  while (stored < back + 200) await new Promise((resolve) => setTimeout(resolve, 20))
  isOver = true
  await storing
  assert.deepEqual(
    (await recordsOf(records)).map(({ url }) => url),
    Array.from({ length: stored }, (_, i) => urlOf(i)),
  )
  assert.deepEqual(await records.visits(urlOf(back)), [visitAt(back)])
})
