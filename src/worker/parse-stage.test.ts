import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../clock.ts'
import { loadConfig } from '../config/load.ts'
import { contentHash } from '../dedup/content-hash.ts'
import { openPageReader } from '../reading/open-page-reader.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FetchedPage } from '../stream/stream.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Keeper, Kept } from './keeper.ts'
import { ParseStage } from './parse-stage.ts'

test('a page that was fetched elsewhere has the content hash that it has where one process does all', async () => {
  const url = 'http://a.test/' as CanonicalUrl
  const body = Buffer.from('<title>Lights</title><p>Of ships and storms.')
  const rawBody = gzipSync(body)
  const { config } = loadConfig({})
  const orders = { config, seeds: [url], wholePages: false, maxHeldBytes: 10 ** 6 }
  await using reader = openPageReader(orders, systemClock(), new AbortController().signal)
  const kept: Kept[] = []
  const keep = async (_request: unknown, given: Kept) => {
    kept.push(given)
    return { record: given.record, adds: {}, isPutOff: false }
  }
  const headers = [['content-type', 'text/html']] as const
  const stage = new ParseStage({
    reader,
    archive: { read: async () => ({ url, fetchedAt: 1, status: 200, headers, rawBody, body }) },
    keeper: { keep } as Partial<Keeper> as Keeper,
    records: {} as RecordStore,
    tally: { addOnce: async () => {} },
    safe: async () => {},
  })
  await stage.read({
    request: { url, priority: 'high', depth: 0, parent: null, discoveredAt: 1, redirects: 0, attempts: 0 },
    exchange: { url, method: 'GET', status: 200, statusText: 'OK', headers, startedAt: 1, durationMs: 5 },
    ...{ place: { file: 'x', offset: 0, length: 1 }, bodyBytes: rawBody.length, location: null, isBlocked: false },
  } as unknown as FetchedPage)
  assert.equal(kept[0]?.record.title, 'Lights')
  assert.equal(kept[0].record.contentHash, contentHash({ body, rawBody }))
  assert.notEqual(kept[0].record.contentHash, contentHash({ body, rawBody: body }))
})
