import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Exchange } from '../fetch/outcome.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Archive } from './archive.ts'
import type { WarcPlace } from './url-record.ts'

/** How the suite opens an archive: empty, and again over what the one before has left. */
export interface ArchiveUnderTest {
  readonly archive: Archive
  /** The place of an exchange stored before, as a record store would know it. */
  remember(exchange: Exchange, place: WarcPlace): void
  reopen(): Promise<ArchiveUnderTest>
  close(): Promise<void>
}

export const sha256Hex = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

export function exchangeOf(path: string, body: string | Buffer, changes: Partial<Exchange> = {}): Exchange {
  const bytes = Buffer.from(body)
  return {
    url: `http://example.test${path}` as CanonicalUrl,
    method: 'GET',
    startedAt: Date.UTC(2025, 0, 31, 12, 30, 15, 250),
    durationMs: 20,
    address: '192.0.2.7',
    protocol: 'http/1.1',
    requestHeaders: [
      ['Host', 'example.test'],
      ['User-Agent', 'orbweaver/0'],
    ],
    status: 200,
    statusText: 'OK',
    headers: [['Content-Type', 'text/html; charset=utf-8']],
    rawBody: bytes,
    body: bytes,
    truncated: null,
    ...changes,
  }
}

export function encodedExchange(path: string, body: string, encoding: string, rawBody: Buffer): Exchange {
  const headers = [['Content-Type', 'text/html'] as const, ['Content-Encoding', encoding] as const]
  return exchangeOf(path, body, { rawBody, headers })
}

/** What every archive must keep, asked of the one that wrote and of one opened again over the same bytes. */
export function archiveConformance(
  name: string,
  open: () => Promise<ArchiveUnderTest>,
  { skip = false }: { readonly skip?: string | false } = {},
): void {
  for (const reopens of [false, true]) {
    describe(`archive ${name}${reopens ? ', opened again' : ''}`, { skip }, () => {
      const settled = (subject: ArchiveUnderTest) => (reopens ? subject.reopen() : subject)

      async function store(subject: ArchiveUnderTest, exchange: Exchange, original?: Exchange): Promise<WarcPlace> {
        const revisitOf = original && { url: original.url, fetchedAt: original.startedAt }
        const place = await subject.archive.append(exchange, sha256Hex(exchange.rawBody), revisitOf)
        subject.remember(exchange, place)
        return place
      }

      it('reads back what was stored', async () => {
        const first = await open()
        const place = await store(first, exchangeOf('/a', 'hello'))
        await first.archive.flush()
        const subject = await settled(first)
        const read = await subject.archive.read(place)
        assert.equal(read?.url, 'http://example.test/a')
        assert.equal(read.status, 200)
        assert.equal(read.fetchedAt, Date.UTC(2025, 0, 31, 12, 30, 15, 250))
        assert.deepEqual(read.headers, [['Content-Type', 'text/html; charset=utf-8']])
        assert.equal(read.body.toString(), 'hello')
        await subject.close()
      })

      it('keeps exchanges apart that are appended at once', async () => {
        const first = await open()
        const paths = Array.from({ length: 200 }, (_, i) => `/page-${i}`)
        const places = await Promise.all(
          paths.map((path) => store(first, exchangeOf(path, `body of ${path}`.repeat(50)))),
        )
        await first.archive.flush()
        const subject = await settled(first)
        for (const [i, place] of places.entries()) {
          const read = await subject.archive.read(place)
          assert.equal(read?.body.toString(), `body of ${paths[i]}`.repeat(50))
        }
        await subject.close()
      })

      it('uses nothing of an exchange once it is appended', async () => {
        const first = await open()
        const bodies = ['short', 'long '.repeat(2000), 'longer than a block of anything '.repeat(20_000)]
        const places: WarcPlace[] = []
        for (const [i, body] of bodies.entries()) {
          const rawBody = gzipSync(body, { level: i })
          places.push(await store(first, encodedExchange(`/${i}`, body, 'gzip', rawBody)))
          rawBody.fill('x')
        }
        await first.archive.flush()
        const subject = await settled(first)
        for (const [i, place] of places.entries())
          assert.equal((await subject.archive.read(place))?.body.toString(), bodies[i])
        await subject.close()
      })

      it('has a body as it was sent, too', async () => {
        const first = await open()
        const rawBody = gzipSync('compressed')
        const places = [
          await store(first, encodedExchange('/a', 'compressed', 'gzip', rawBody)),
          await store(first, exchangeOf('/b', 'plain')),
        ]
        await first.archive.flush()
        const subject = await settled(first)
        const [coded, plain] = await Promise.all(places.map((place) => subject.archive.read(place)))
        assert.ok(coded?.rawBody.equals(rawBody))
        assert.equal(plain?.rawBody, plain?.body)
        await subject.close()
      })

      it('decodes every content encoding that we ask servers for', async () => {
        const body = 'compressed '.repeat(300)
        const encoded = {
          gzip: gzipSync(body),
          deflate: deflateSync(body),
          br: brotliCompressSync(body),
          zstd: zstdCompressSync(body),
          'gzip, br': brotliCompressSync(gzipSync(body)),
        }
        const first = await open()
        const places: WarcPlace[] = []
        for (const [encoding, rawBody] of Object.entries(encoded)) {
          places.push(await store(first, encodedExchange(`/${places.length}`, body, encoding, rawBody)))
        }
        places.push(await store(first, encodedExchange('/raw', body, 'deflate', deflateRawSync(body))))
        await first.archive.flush()
        const subject = await settled(first)
        for (const place of places) assert.equal((await subject.archive.read(place))?.body.toString(), body)
        await subject.close()
      })

      it('answers a revisit with its own head and the body of the original', async () => {
        const body = 'the same page '.repeat(200)
        const first = await open()
        const original = encodedExchange('/original', body, 'gzip', gzipSync(body))
        const originalPlace = await store(first, original)
        const again = {
          ...original,
          url: 'http://example.test/copy' as CanonicalUrl,
          startedAt: original.startedAt + 5,
        }
        const place = await store(first, again, original)
        const third = { ...again, url: 'http://example.test/third' as CanonicalUrl, startedAt: original.startedAt + 9 }
        const placeOfThird = await store(first, third, again)
        await first.archive.flush()
        const subject = await settled(first)
        for (const [url, revisit] of [
          [again.url, place],
          [third.url, placeOfThird],
        ] as const) {
          const read = await subject.archive.read(revisit)
          assert.equal(read?.url, url)
          assert.equal(read.body.toString(), body)
        }
        assert.ok((await subject.archive.read(originalPlace))?.body.equals(original.body))
        await subject.close()
      })

      it('answers a 304 with the body that has not changed, and one that leads nowhere without', async () => {
        const body = 'as it was '.repeat(200)
        const first = await open()
        const original = encodedExchange('/original', body, 'gzip', gzipSync(body))
        await store(first, original)
        const unchanged = { status: 304, statusText: 'Not Modified', startedAt: original.startedAt + 5 }
        const again = exchangeOf('/original', '', unchanged)
        const place = await store(first, again, original)
        const placeOfThird = await store(first, { ...again, startedAt: original.startedAt + 9 }, again)
        const lost = await store(first, exchangeOf('/lost', '', unchanged), exchangeOf('/never-stored', body))
        await first.archive.flush()
        const subject = await settled(first)
        for (const revisit of [place, placeOfThird]) {
          const read = await subject.archive.read(revisit)
          assert.equal(read?.status, 304)
          assert.equal(read.body.toString(), body)
        }
        assert.equal((await subject.archive.read(lost))?.body.length, 0)
        await subject.close()
      })

      it('keeps the body of a revisit whose original it cannot find, or whose bytes differ', async () => {
        const first = await open()
        const original = exchangeOf('/original', 'text')
        await store(first, original)
        const otherBytes = encodedExchange('/encoded', 'text', 'gzip', gzipSync('text'))
        const places = [
          await store(first, otherBytes, original),
          await store(first, exchangeOf('/unknown', 'text'), exchangeOf('/never-stored', 'text')),
        ]
        await first.archive.flush()
        const subject = await settled(first)
        for (const place of places) assert.equal((await subject.archive.read(place))?.body.toString(), 'text')
        await subject.close()
      })

      it('answers undefined for a place where nothing lies', async () => {
        const first = await open()
        const place = await store(first, exchangeOf('/a', 'hello'))
        await first.archive.flush()
        const subject = await settled(first)
        const wrong: readonly WarcPlace[] = [
          { ...place, file: 'no-such-file.warc.gz' },
          { ...place, file: '../../../etc/passwd' },
          { ...place, offset: place.offset + 1 },
          { ...place, offset: 10 ** 12 },
          { ...place, offset: -1 },
          { ...place, length: place.length - 1 },
          { ...place, length: 0 },
        ]
        for (const elsewhere of wrong) assert.equal(await subject.archive.read(elsewhere), undefined)
        await subject.close()
      })

      it('keeps an answer without a body, and heads that try to forge lines', async () => {
        const first = await open()
        const redirect = exchangeOf('/r', '', {
          status: 301,
          statusText: 'Moved\r\nX-Forged: 1',
          headers: [
            ['Location', '/x\r\n\r\nWARC/1.1'],
            [':status', '301'],
            ['X-Name', 'café'],
          ],
        })
        const place = await store(first, redirect)
        await first.archive.flush()
        const subject = await settled(first)
        const read = await subject.archive.read(place)
        assert.equal(read?.status, 301)
        assert.equal(read.body.length, 0)
        assert.deepEqual(read.headers, [
          ['Location', '/x WARC/1.1'],
          ['X-Name', 'café'],
        ])
        await subject.close()
      })
    })
  }
}
