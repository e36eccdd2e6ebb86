import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import type { FetchedPage, Stream } from './stream.ts'

export interface StreamUnderTest extends AsyncDisposable {
  /** The stream as one more worker sees it. Closed with the rest. */
  open(): Promise<Stream>
  /** A worker takes so many pages, acknowledges none of them, and dies without a word. */
  dieWith(count: number): Promise<void>
}

export function fetchedPage(host: string, number: number): FetchedPage {
  const url = `http://${host}/${number}` as CanonicalUrl
  return {
    crawl: 'test',
    host: host as HostKey,
    request: { url, priority: 'low', depth: 1, parent: null, discoveredAt: 5, redirects: 0, attempts: 0 },
    exchange: {
      url,
      method: 'GET',
      startedAt: 1_700_000_000_000,
      durationMs: 12,
      address: '192.0.2.1',
      protocol: 'http/1.1',
      requestHeaders: [['Host', host]],
      status: 200,
      statusText: 'OK',
      headers: [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=ü'],
      ],
      truncated: 'bytes',
    },
    payloadHash: 'ab'.repeat(32),
    place: { file: 'date=2026-01-01/a.warc.gz', offset: 2 ** 40, length: 99 },
    bodyBytes: 4096,
    location: null,
    isBlocked: false,
  }
}

const pagesOf = (host: string, count: number) => Array.from({ length: count }, (_, n) => fetchedPage(host, n))
const hosts = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test']

async function putAll(stream: Stream, pages: readonly FetchedPage[]): Promise<void> {
  for (const page of pages) await stream.put(page)
  await stream.flush()
}

/** Takes in the background; `stop` resolves when what was under way has ended. */
function taking(stream: Stream, handle: (page: FetchedPage) => Promise<void>, atOnce = 8) {
  const ending = new AbortController()
  const ended = stream.take(handle, { atOnce, signal: ending.signal })
  return {
    ended,
    stop() {
      ending.abort()
      return ended
    },
  }
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await condition()); await sleep(10))
    if (Date.now() > deadline) assert.fail(`${what}: not in 20 s`)
}

const drained = (stream: Stream) => until(async () => (await stream.lag()).waiting === 0, 'all acknowledged')

/** The promises of the port. */
export function streamConformance(
  name: string,
  open: () => Promise<StreamUnderTest>,
  skip: string | false = false,
): void {
  describe(`stream conformance: ${name}`, { skip }, () => {
    const promise = (title: string, body: (under: StreamUnderTest) => Promise<void>) =>
      test(title, async () => {
        await using under = await open()
        await body(under)
      })

    promise('a page arrives as it was put', async (under) => {
      const stream = await under.open()
      const arrived: FetchedPage[] = []
      const taker = taking(stream, async (page) => void arrived.push(page))
      await putAll(stream, pagesOf('a.test', 1))
      await drained(stream)
      await taker.stop()
      assert.deepEqual(arrived, pagesOf('a.test', 1))
    })

    promise('each page goes to one of those who take', async (under) => {
      const [putting, ...takers] = [await under.open(), await under.open(), await under.open()]
      const seen: string[] = []
      const running = takers.map((stream) => taking(stream!, async ({ request }) => void seen.push(request.url)))
      await putAll(
        putting!,
        hosts.flatMap((host) => pagesOf(host, 20)),
      )
      await drained(putting!)
      await Promise.all(running.map(({ stop }) => stop()))
      assert.equal(new Set(seen).size, 100)
    })

    promise('pages of a host are begun in the order in which they were put', async (under) => {
      const stream = await under.open()
      await putAll(stream, Array.from({ length: 30 }, (_, n) => hosts.map((host) => fetchedPage(host, n))).flat())
      const begun = new Map<string, string[]>()
      const taker = taking(stream, async ({ host, request }) => {
        begun.set(host, [...(begun.get(host) ?? []), request.url])
        await sleep(Math.random() * 3)
      })
      await drained(stream)
      await taker.stop()
      for (const host of hosts)
        assert.deepEqual(
          // A page may come again after a loss, and those behind it with it: what counts is when each was begun first.
          [...new Set(begun.get(host))],
          pagesOf(host, 30).map(({ request }) => request.url),
        )
    })

    promise('no more pages are under way than asked for', async (under) => {
      const stream = await under.open()
      await putAll(
        stream,
        hosts.flatMap((host) => pagesOf(host, 10)),
      )
      let [underWay, most] = [0, 0]
      const handle = async () => {
        most = Math.max(most, ++underWay)
        await sleep(2)
        underWay--
      }
      const taker = taking(stream, handle, 3)
      await drained(stream)
      await taker.stop()
      assert.equal(most, 3)
    })

    promise('nothing waits only when all that was put is acknowledged', async (under) => {
      const stream = await under.open()
      assert.deepEqual(await stream.lag(), { waiting: 0, put: 0 })
      await putAll(stream, pagesOf('a.test', 3))
      assert.deepEqual(await stream.lag(), { waiting: 3, put: 3 })
      let begun = 0
      const finish = Promise.withResolvers<void>()
      const taker = taking(stream, () => {
        begun++
        return finish.promise
      })
      await until(() => begun === 3, 'all begun')
      assert.equal((await stream.lag()).waiting, 3)
      finish.resolve()
      await drained(stream)
      assert.equal((await stream.lag()).put, 3)
      await taker.stop()
    })

    promise('whoever stops lets what is under way end, and leaves the rest to others', async (under) => {
      const [first, second] = [await under.open(), await under.open()]
      await putAll(first!, pagesOf('a.test', 10))
      const seen: string[] = []
      const gate = Promise.withResolvers<void>()
      const taker = taking(
        first!,
        async ({ request }) => {
          await gate.promise
          seen.push(request.url)
        },
        4,
      )
      await until(async () => (await first!.lag()).waiting === 10, 'put')
      await sleep(50)
      const stopped = taker.stop()
      gate.resolve()
      await stopped
      const rest = taking(second!, async ({ request }) => void seen.push(request.url))
      await drained(second!)
      await rest.stop()
      assert.deepEqual(
        seen.toSorted(),
        pagesOf('a.test', 10).map(({ request }) => request.url),
      )
    })

    promise('a page whose handling failed comes again, and the failure is told', async (under) => {
      const stream = await under.open()
      await putAll(stream, pagesOf('a.test', 5))
      const failing = taking(
        stream,
        async ({ request }) => {
          if (request.url.endsWith('/2')) throw new Error('the index is full')
        },
        1,
      )
      await assert.rejects(failing.ended, /the index is full/)
      const again: string[] = []
      const taker = taking(stream, async ({ request }) => void again.push(request.url))
      await drained(stream)
      await taker.stop()
      assert.deepEqual(again.slice(-3), ['http://a.test/2', 'http://a.test/3', 'http://a.test/4'])
    })

    promise('what a worker held when it died goes to another', async (under) => {
      const stream = await under.open()
      await putAll(
        stream,
        hosts.flatMap((host) => pagesOf(host, 4)),
      )
      await under.dieWith(5)
      const seen = new Set<string>()
      const taker = taking(stream, async ({ request }) => void seen.add(request.url))
      await drained(stream)
      await taker.stop()
      assert.equal(seen.size, 20)
    })

    promise('nothing is lost while workers come and go', async (under) => {
      const stream = await under.open()
      const seen = new Set<string>()
      const handle = async ({ request }: FetchedPage) => {
        await sleep(1)
        seen.add(request.url)
      }
      const staying = taking(stream, handle)
      for (let round = 0; round < 3; round++) {
        const passing = taking(await under.open(), handle)
        await putAll(
          stream,
          hosts.flatMap((host) => Array.from({ length: 10 }, (_, n) => fetchedPage(host, round * 10 + n))),
        )
        await sleep(30)
        await passing.stop()
      }
      await drained(stream)
      await staying.stop()
      assert.equal(seen.size, 150)
    })
  })
}
