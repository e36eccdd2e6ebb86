import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../embedded/database.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import type { HostEvent } from '../politeness/pace.ts'
import type { ReadRequest } from '../reading/reader.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { blankRecord } from '../store/url-record.fixture.ts'
import type { NextVisit } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { Pipeline, type PipelineParts } from './pipeline.ts'

const url = 'https://a.example/' as CanonicalUrl
const request: CrawlRequest = {
  ...{ url, priority: 'low', depth: 0, parent: null, discoveredAt: 0, redirects: 0, attempts: 0 },
}
const hourMs = 3_600_000
const next: NextVisit = {
  ...{ dueAt: hourMs, intervalMs: hourMs, because: 'first', timesGone: 0, band: 'low' },
  ...{ etag: '"v1"', lastModified: '' },
}

/** Visits a page that was visited at 0 and is due after an hour; every attempt fails. */
async function visit(given: CrawlRequest, now: number) {
  const records = embeddedRecords(openDatabase(':memory:'), () => 1)
  const visitAt = { at: 0, kind: 'page', status: 200, durationMs: 1, bytes: 1, detail: '' } as const
  await records.put(url, visitAt, blankRecord(url, { next }))
  const read: ReadRequest[] = []
  const ended: unknown[] = []
  const pipeline = new Pipeline({
    ...{ records, archive: undefined, retryDelaysMs: [], onPage: undefined, clock: { now: () => now } },
    reader: {
      read: async (asked: ReadRequest) => {
        read.push(asked)
        return { kind: 'failed', code: 'reset', detail: '', durationMs: 1 }
      },
    },
  } as unknown as PipelineParts)
  const touch = { sendBefore: now + 1000, sent: () => {}, ended: (event: HostEvent | null) => void ended.push(event) }
  const visited = await pipeline.visit(given, touch)
  return { read, ended, settled: visited!.settled, record: await records.get(url) }
}

test('a revisit asks by what the server gave; a first visit asks for the page', async () => {
  const again = await visit({ ...request, isRevisit: true }, hourMs)
  assert.deepEqual(again.read[0]!.validators, { etag: '"v1"', lastModified: '' })
  const first = await visit(request, hourMs)
  assert.equal(first.read[0]!.validators, undefined)
})

test('a revisit that fails leaves the record as it is', async () => {
  const { settled, record } = await visit({ ...request, isRevisit: true }, hourMs)
  assert.equal(settled.kind, 'dead')
  assert.deepEqual(record, blankRecord(url, { next }))
})

test('a revisit that somebody else has just made touches nobody and counts nothing', async () => {
  const { read, ended, settled } = await visit({ ...request, isRevisit: true }, 60_000)
  assert.deepEqual(read, [])
  assert.deepEqual(ended, [null])
  assert.deepEqual(settled, { url, kind: 'done' })
})

test('pages that were read in one turn of the loop are kept together, and their host may be asked again before', async () => {
  const steps: string[] = []
  const pipeline = new Pipeline({
    ...{ archive: undefined, retryDelaysMs: [], onPage: undefined, clock: { now: () => 0 } },
    reader: {
      read: async () => {
        const exchange = { status: 200, headers: [], startedAt: 0, durationMs: 1, rawBody: Buffer.alloc(0) }
        return { kind: 'answered', exchange, isBlocked: false, release: () => {} }
      },
    },
    keeper: {
      keep: async (kept: CrawlRequest) => {
        for (const step of ['compared', 'stored']) {
          steps.push(`${kept.url} ${step}`)
          await undefined
        }
        return { record: blankRecord(kept.url), adds: {}, isPutOff: false }
      },
    },
  } as unknown as PipelineParts)
  const visitOf = (name: string) =>
    pipeline.visit(
      { ...request, url: name as CanonicalUrl },
      { sendBefore: 1000, sent: () => {}, ended: () => void steps.push(`${name} ended`) },
    )
  await Promise.all(['a', 'b'].map(visitOf))
  assert.deepEqual(steps, ['a ended', 'b ended', 'a compared', 'b compared', 'a stored', 'b stored'])
})
