import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { configSchema } from '../config/schema.ts'
import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import type { Candidate, CrawlRequest } from '../frontier/frontier.ts'
import { Candidates, candidateRules } from '../reading/candidates.ts'
import type { RecordStore } from '../store/record-store.ts'
import { blankRecord } from '../store/url-record.fixture.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Keeper, type KeeperParts, type Kept } from './keeper.ts'

const url = 'https://a.example/' as CanonicalUrl
const request = {
  url,
  priority: 'high',
  depth: 0,
  parent: null,
  discoveredAt: 0,
  redirects: 0,
  attempts: 0,
} as CrawlRequest
const links = Array.from(
  { length: 5 },
  (_, i): Candidate => ({
    ...{
      url: `${url}${i}` as CanonicalUrl,
      host: 'a.example' as HostKey,
      band: 'low',
      depth: 1,
      parent: url,
      redirects: 0,
    },
  }),
)

async function linksTaken(maxLinks: number) {
  const offered: Candidate[] = []
  const config = configSchema.parse({})
  const keeper = new Keeper({
    records: { put: async () => {} } as unknown as RecordStore,
    nearDuplicates: {} as NearDuplicates,
    index: undefined,
    offer: async (candidates) => void offered.push(...candidates),
    candidates: new Candidates(candidateRules(config, makeScope({ ...config.url, seeds: [url] })), systemClock()),
    maxLinks: () => maxLinks,
    onSeedMoved: async () => {},
  } satisfies Partial<KeeperParts> as unknown as KeeperParts)
  const exchange = { startedAt: 0, durationMs: 1, status: 200, truncated: null, headers: [] }
  const { adds } = await keeper.keep(request, {
    ...{ exchange, bodyBytes: 10, location: null, record: blankRecord(url), candidates: links, refused: {} },
    ...{ counts: {}, note: '' },
    archive: async () => null,
  } satisfies Partial<Kept> as unknown as Kept)
  return { offered, refused: adds['refused.too-many-links'] }
}

test('all links of a page are offered unless a limit is set', async () => {
  assert.deepEqual(await linksTaken(0), { offered: links, refused: undefined })
  assert.deepEqual(await linksTaken(5), { offered: links, refused: undefined })
})

test('of more links than may be taken the first are, and the others are counted', async () => {
  assert.deepEqual(await linksTaken(2), { offered: links.slice(0, 2), refused: 3 })
})
