import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { configSchema } from '../config/schema.ts'
import type { Candidate } from '../frontier/frontier.ts'
import { blankRecord } from '../store/url-record.fixture.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { heal } from './heal.ts'

const seed = 'https://a.test/' as CanonicalUrl

/** What is offered of these records, to a frontier that knows the seed alone. */
async function offeredOf(records: readonly UrlRecord[], obeysCanonical = true) {
  const offered: Candidate[] = []
  const missing = await heal({
    frontier: {
      async offer(candidates) {
        offered.push(...candidates)
        return candidates.map(({ url }) => (url === seed ? 'known' : 'admitted'))
      },
    },
    records: (async function* () {
      yield* records
    })(),
    config: configSchema.parse({ parse: { obey: { canonical: obeysCanonical } } }),
    seeds: [seed],
    widened: { each: () => {} },
    clock: systemClock(),
  })
  return { missing, urls: offered.map(({ url }) => url.replace('https://a.test', '')) }
}

test('links, canonical URLs, targets of redirects and seeds are offered once more', async () => {
  const records = [
    blankRecord(seed, { links: ['https://a.test/1', 'https://elsewhere.test/'] }),
    blankRecord('https://a.test/1', { canonical: 'https://a.test/2' }),
    blankRecord('https://a.test/2', { canonical: 'https://a.test/2' }),
    blankRecord('https://a.test/3', { kind: 'redirect', finalUrl: 'https://a.test/4' }),
  ]
  assert.deepEqual(await offeredOf(records), { missing: 3, urls: ['/', '/1', '/2', '/4'] })
  assert.deepEqual((await offeredOf(records, false)).urls, ['/', '/1', '/4'])
})
