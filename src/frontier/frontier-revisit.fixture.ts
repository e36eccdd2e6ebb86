import assert from 'node:assert/strict'
import type { CanonicalUrl } from '../url/keys.ts'
import {
  candidate,
  type FrontierUnderTest,
  finish,
  gapMs,
  offer,
  type Promised,
  pages,
  touched,
  urlsOf,
} from './frontier.fixture.ts'
import type { HostLease, Settled } from './frontier.ts'

const [page, ...otherPages] = pages('a.test', 3)

/** What a frontier promises of URLs that are visited again. */
export function revisitConformance(promise: Promised): void {
  promise('a URL that is done waits again, once, however often that is asked for', async (under, pause) => {
    await visited(under)
    assert.deepEqual(await under.frontier.revisit([page!]), ['queued'])
    await pause()
    assert.deepEqual(await under.frontier.revisit([page!, page!]), ['waiting', 'waiting'])
    const { admitted, queued, done } = await under.frontier.counts()
    assert.deepEqual({ admitted, queued, done }, { admitted: 3, queued: 1, done: 2 })
    assert.equal(await under.frontier.revisiting(), 1)
    const { leases } = await leased(under)
    assert.deepEqual(urlsOf(leases), [page!.url])
    assert.deepEqual(await under.frontier.revisit([page!]), ['waiting'])
  })

  promise('a revisit says so, and what the URL was admitted with; a first visit does not', async (under, pause) => {
    const parent = 'http://a.test/' as CanonicalUrl
    const deep = candidate('http://a.test/deep', 'low', { parent, depth: 3, redirects: 2 })
    await offer(under, [candidate('http://a.test/', 'high'), deep])
    const first = await leased(under)
    assert.ok(first.leases[0]!.requests.every(({ isRevisit }) => !isRevisit))
    await finish(under.frontier, first.leases[0]!)
    await under.frontier.revisit([deep])
    await pause()
    const [request] = (await leased(under)).leases[0]!.requests
    const { isRevisit, priority, depth, attempts } = request!
    assert.deepEqual(
      { isRevisit, priority, depth, parent: request!.parent, attempts },
      { isRevisit: true, priority: 'low', depth: 3, parent, attempts: 0 },
    )
  })

  promise('a URL that waits or is leased for the first time is left as it is', async (under, pause) => {
    await offer(under, [page!, ...otherPages])
    assert.deepEqual(await under.frontier.revisit([page!, ...otherPages]), ['waiting', 'waiting', 'waiting'])
    const [lease] = (await under.frontier.lease(1, 1)).leases
    assert.deepEqual(await under.frontier.revisit([page!, ...otherPages]), ['waiting', 'waiting', 'waiting'])
    await under.frontier.release(lease!, touched(lease!))
    await pause()
    assert.deepEqual(await under.frontier.revisit([page!]), ['waiting'])
    assert.equal((await under.frontier.counts()).queued, 3)
  })

  promise('a revisit that is settled can be asked for again', async (under, pause) => {
    await visited(under)
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await under.frontier.revisit([page!]), ['queued'])
      await pause()
      await settle(under, { kind: 'done' })
      assert.equal(await under.frontier.finished(), true)
      assert.equal(await under.frontier.revisiting(), 0)
    }
    const { admitted, done } = await under.frontier.counts()
    assert.deepEqual({ admitted, done }, { admitted: 3, done: 3 })
  })

  promise('a revisit whose retry is put off waits, and is a revisit still', async (under, pause) => {
    await visited(under)
    await under.frontier.revisit([page!])
    await settle(under, { kind: 'retry', afterMs: 5000, reason: 'timeout' })
    await pause()
    assert.deepEqual(await under.frontier.revisit([page!]), ['waiting'])
    under.advance(5000)
    const [request] = (await leased(under)).leases[0]!.requests
    assert.deepEqual({ isRevisit: request!.isRevisit, attempts: request!.attempts }, { isRevisit: true, attempts: 1 })
  })

  promise('a dead letter is tried again with fresh attempts, what is excluded is not', async (under, pause) => {
    await offer(under, [page!, ...otherPages])
    const [lease] = (await leased(under)).leases
    const endings = [
      { kind: 'dead', reason: 'timeout' },
      { kind: 'excluded', reason: 'robots' },
      { kind: 'done' },
    ] as const
    await under.frontier.settle(
      lease!,
      [page!, ...otherPages].map(({ url }, at) => ({ url, ...endings[at]! })),
    )
    await under.frontier.release(lease!, touched(lease!))
    await pause()
    assert.deepEqual(await under.frontier.revisit([page!, ...otherPages]), ['queued', 'refused', 'queued'])
    const { queued, dead, excluded, done } = await under.frontier.counts()
    assert.deepEqual({ queued, dead, excluded, done }, { queued: 2, dead: 0, excluded: 1, done: 0 })
    assert.ok((await leased(under)).leases[0]!.requests.every(({ attempts }) => attempts === 0))
  })

  promise('a revisit that is given up, or excluded, counts as that', async (under, pause) => {
    await visited(under)
    await under.frontier.revisit([page!, ...otherPages])
    await settle(under, { kind: 'dead', reason: 'timeout' })
    await pause()
    const { admitted, dead } = await under.frontier.counts()
    assert.deepEqual({ admitted, dead }, { admitted: 3, dead: 3 })
    assert.equal(await under.frontier.revisiting(), 0)
    assert.deepEqual(await under.frontier.revisit([page!]), ['queued'])
    await settle(under, { kind: 'excluded', reason: 'robots' })
    assert.deepEqual(await under.frontier.revisit([page!]), ['refused'])
  })

  promise('a URL that was never offered is refused, and not admitted', async (under, pause) => {
    await visited(under)
    const unknown = [candidate('http://a.test/never'), candidate('http://never.test/')]
    assert.deepEqual(await under.frontier.revisit(unknown), ['refused', 'refused'])
    await pause()
    assert.equal((await under.frontier.counts()).admitted, 3)
  })

  promise('a revisit keeps the pace of its host, and what the host asked for', async (under, pause) => {
    await offer(under, [page!])
    const [lease] = (await leased(under)).leases
    await under.frontier.settle(lease!, [{ url: page!.url, kind: 'done' }])
    await under.frontier.release(lease!, touched(lease!, { hold: { ms: 60_000, reason: 'retry-after' } }))
    await under.frontier.revisit([page!])
    await pause()
    under.advance(59_000)
    assert.deepEqual((await under.frontier.lease(1, 1)).leases, [])
    under.advance(2000)
    assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
  })

  promise('of many hosts each has its own, and two who ask at once get each URL once', async (under, pause) => {
    const all = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => pages(`${name}.test`, 60))
    await offer(under, all)
    for (let lease: HostLease | undefined; ; ) {
      ;[lease] = (await leased(under, 1)).leases
      if (!lease) break
      await finish(under.frontier, lease)
    }
    const both = await Promise.all([under.frontier.revisit(all), under.frontier.revisit(all)])
    assert.equal(both.flat().filter((answer) => answer === 'queued').length, all.length, 'each once')
    await pause()
    assert.ok((await under.frontier.revisit(all)).every((answer) => answer === 'waiting'))
    assert.equal((await under.frontier.counts()).queued, 300)
  })
}

async function leased(under: FrontierUnderTest, maxHosts = 9) {
  under.advance(gapMs)
  return under.frontier.lease(maxHosts, 100)
}

async function visited(under: FrontierUnderTest): Promise<void> {
  await offer(under, [page!, ...otherPages])
  await finish(under.frontier, (await leased(under)).leases[0]!)
}

type Ending = Settled extends infer One ? (One extends { url: unknown } ? Omit<One, 'url'> : never) : never

async function settle(under: FrontierUnderTest, ending: Ending): Promise<void> {
  const [lease] = (await leased(under)).leases
  await under.frontier.settle(
    lease!,
    lease!.requests.map(({ url }) => ({ url, ...ending }) as Settled),
  )
  await under.frontier.release(lease!, touched(lease!))
}
