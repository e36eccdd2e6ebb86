import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import type { Exchange } from '../fetch/outcome.ts'
import type { CrawlRequest } from '../frontier/frontier.ts'
import { parseConfig } from '../parse/config.ts'
import type { HostEvent } from '../politeness/pace.ts'
import type { Reader } from '../reading/reader.ts'
import { UnreadWalls } from '../reading/wall-watch.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { FetchedPage } from '../stream/stream.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { FetchStage } from './fetch-stage.ts'

const prose = '<p>The lighthouse keeper wrote of ships, of storms and of the long nights between them.</p>'.repeat(400)

test('a page is handed on and done; its host bears us well', async () => {
  const { visited, events, letters } = await visit(`<title>Lights</title>${prose}`)
  assert.equal(visited?.settled.kind, 'done')
  assert.equal(visited.settled.adds?.pages, 1)
  assert.deepEqual([events.map((event) => event?.kind), letters.map(({ isBlocked }) => isBlocked)], [['ok'], [false]])
})

test('a wall slows its host down at once, and is a dead letter, also where somebody else will read it', async () => {
  const { visited, events, letters } = await visit('<title>Just a moment...</title><script>_cf_chl_opt={}</script>')
  assert.deepEqual(
    { ...visited?.settled, adds: undefined },
    {
      ...{ url: 'http://a.test/', kind: 'dead', reason: 'blocked: Cloudflare challenge', adds: undefined },
    },
  )
  assert.deepEqual([visited?.settled.adds?.others, visited?.settled.adds?.['errors.blocked']], [1, 1])
  assert.deepEqual(events, [{ kind: 'throttled', retryAfterMs: null }])
  assert.deepEqual(
    letters.map(({ isBlocked }) => isBlocked),
    [true],
  )
})

test('a page with much to say is content, whatever scripts it carries', async () => {
  const { visited } = await visit(`<script>_cf_chl_opt={}</script>${prose}`)
  assert.equal(visited?.settled.kind, 'done')
})

async function visit(html: string) {
  const url = 'http://a.test/' as CanonicalUrl
  const body = Buffer.from(html)
  const exchange = {
    ...{ url, method: 'GET', status: 200, statusText: 'OK', headers: [['content-type', 'text/html']] },
    ...{ startedAt: 1, durationMs: 5, body, rawBody: body, truncated: null },
  } as Partial<Exchange> as Exchange
  const events: (HostEvent | null)[] = []
  const letters: FetchedPage[] = []
  const stage = new FetchStage({
    ...{ crawl: 'news', clock: systemClock(), retryDelaysMs: [], keyOf: () => 'a.test' as HostKey },
    reader: { fetch: async () => ({ kind: 'fetched', exchange }) } as Partial<Reader> as Reader,
    archive: { append: async () => ({ file: 'x', offset: 0, length: 1 }) } as Partial<Archive> as Archive,
    records: {} as RecordStore,
    tell: (letter) => void letters.push(letter),
    walls: new UnreadWalls(parseConfig.parse({})),
  })
  const request: CrawlRequest = {
    ...{ url, priority: 'high', depth: 0, parent: null, discoveredAt: 1 },
    ...{ redirects: 0, attempts: 0 },
  }
  const touch = {
    sendBefore: Number.POSITIVE_INFINITY,
    sent() {},
    ended: (event: HostEvent | null) => void events.push(event),
  }
  const visited = await stage.visit(request, touch)
  return { visited, events, letters }
}
