import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CanonicalUrl } from '../url/keys.ts'
import {
  assertAnswers,
  candidate,
  type FrontierTraits,
  type FrontierUnderTest,
  finish,
  gapMs,
  offer,
  type Promised,
  pages,
  touched,
  urlsOf,
} from './frontier.fixture.ts'
import type { Frontier } from './frontier.ts'
import { crashConformance } from './frontier-crash.conformance.ts'
import { orderConformance } from './frontier-order.fixture.ts'
import { revisitConformance } from './frontier-revisit.fixture.ts'

export type { FrontierUnderTest } from './frontier.fixture.ts'

/** The promises of the port, each straight and with the frontier closed and opened again between act and check. */
export function frontierConformance(
  name: string,
  open: () => Promise<FrontierUnderTest>,
  { parts = 1, skip, crash = { forgets: true, restMs: gapMs } }: FrontierTraits = {},
): void {
  const options = { skip: skip ?? false }
  for (const between of ['straight', 'reopened'] as const) {
    describe(`frontier conformance: ${name}, ${between}`, options, () => {
      const promise: Promised = (title, body) =>
        test(title, async () => {
          await using under = await open()
          await body(under, async () => {
            if (between === 'reopened') await under.reopen()
          })
          await checkSum(under.frontier)
        })

      revisitConformance(promise)
      orderConformance(promise, parts)

      promise('a URL is admitted once, however often it is offered', async (under, pause) => {
        const batch = [candidate('http://a.test/'), candidate('http://a.test/1'), candidate('http://a.test/')]
        assertAnswers(under, await offer(under, batch), ['admitted', 'admitted', 'known'])
        await pause()
        assertAnswers(under, await offer(under, batch), ['known', 'known', 'known'])
        assert.equal((await under.frontier.counts()).admitted, 2)
      })

      promise('a refused candidate is remembered as excluded and never handed out', async (under, pause) => {
        const trap = candidate('http://a.test/a/a/a', 'low', { refusal: 'path-loop' })
        assertAnswers(under, await offer(under, [trap]), ['excluded'])
        await pause()
        assertAnswers(under, await offer(under, [candidate('http://a.test/a/a/a')]), ['known'])
        assert.deepEqual((await under.frontier.lease(10, 10)).leases, [])
        assert.equal((await under.frontier.counts()).excluded, 1)
      })

      promise('a request carries what its candidate told', async (under, pause) => {
        await offer(under, [candidate('http://a.test/', 'high')])
        const parent = 'http://a.test/' as CanonicalUrl
        await offer(under, [candidate('http://b.test/x', 'low', { parent, depth: 3, redirects: 2 })])
        await pause()
        const { leases } = await under.frontier.lease(10, 10)
        const request = leases.flatMap((lease) => lease.requests).find(({ url }) => url === 'http://b.test/x')
        assert.ok(request)
        const { priority, depth, redirects, attempts } = request
        assert.deepEqual(
          { priority, depth, parent: request.parent, redirects, attempts },
          {
            priority: 'low',
            depth: 3,
            parent,
            redirects: 2,
            attempts: 0,
          },
        )
      })

      promise('a leased host is not leased again, its URLs are in one lease only', async (under) => {
        await offer(under, [...pages('a.test', 5), ...pages('b.test', 5)])
        const first = await under.frontier.lease(1, 3)
        const second = await under.frontier.lease(10, 3)
        const third = await under.frontier.lease(10, 3)
        assert.equal(first.leases.length, 1)
        assert.equal(second.leases.length, 1)
        assert.notEqual(first.leases[0]!.host, second.leases[0]!.host)
        assert.equal(third.leases.length, 0)
        assert.equal((await under.frontier.counts()).leased, 6)
      })

      promise('what was settled stays settled and is not handed out again', async (under, pause) => {
        await offer(under, pages('a.test', 4))
        const [lease] = (await under.frontier.lease(1, 10)).leases
        const [done, excluded, dead] = lease!.requests.map(({ url }) => url)
        const visits = [
          { url: done!, kind: 'done' },
          { url: excluded!, kind: 'excluded', reason: 'robots' },
          { url: dead!, kind: 'dead', reason: 'dns-not-found' },
        ] as const
        assert.equal(await under.frontier.settle(lease!, visits), 'settled')
        assert.equal(await under.frontier.settle(lease!, visits), 'settled')
        await under.frontier.release(lease!, touched(lease!))
        await pause()
        under.advance(gapMs)
        const counts = await under.frontier.counts()
        assert.deepEqual(counts, { admitted: 4, queued: 1, leased: 0, done: 1, excluded: 1, dead: 1 })
        assert.deepEqual(urlsOf((await under.frontier.lease(10, 10)).leases), ['http://a.test/medium/3'])
      })

      promise('a host rests for a gap after its last touch', async (under, pause) => {
        await offer(under, pages('a.test', 3))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        await under.frontier.release(lease!, touched(lease!, { touchedMsAgo: 400 }))
        await pause()
        const early = await under.frontier.lease(1, 1)
        assert.equal(early.leases.length, 0)
        assert.ok(early.nextDueMs! > 0 && early.nextDueMs! <= 600)
        under.advance(600)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
      })

      promise('a host that could have been touched and was not has earned that time', async (under, pause) => {
        await offer(under, pages('a.test', 3))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        await under.frontier.release(lease!, touched(lease!))
        await pause()
        under.advance(gapMs + 2500)
        const [later] = (await under.frontier.lease(1, 1)).leases
        assert.ok(later!.quietMs <= 2500)
        if (between === 'straight') assert.equal(later!.quietMs, 2500)
      })

      promise('a host that was not touched need not rest', async (under) => {
        await offer(under, pages('a.test', 3))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        await under.frontier.release(lease!, touched(lease!, { touchedMsAgo: null }))
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
      })

      promise('a hold keeps a host away for its time, and the pace is inherited', async (under, pause) => {
        await offer(under, pages('a.test', 3))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        const pace = { ...lease!.pace, gapMs: 2500 }
        await under.frontier.release(lease!, { touchedMsAgo: 0, pace, hold: { ms: 30_000, reason: 'retry-after' } })
        await pause()
        under.advance(29_000)
        const early = await under.frontier.lease(1, 1)
        assert.equal(early.leases.length, 0)
        assert.equal(early.nextDueMs, 1_000)
        under.advance(1_000)
        const [again] = (await under.frontier.lease(1, 1)).leases
        assert.equal(again!.pace.gapMs, 2500)
      })

      promise('URLs that a worker did not reach go back, first in line', async (under, pause) => {
        await offer(under, pages('a.test', 5))
        const [lease] = (await under.frontier.lease(1, 3)).leases
        await under.frontier.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }])
        await under.frontier.release(lease!, touched(lease!))
        await pause()
        under.advance(gapMs)
        const paths = urlsOf((await under.frontier.lease(1, 2)).leases)
        assert.deepEqual(paths, ['http://a.test/medium/1', 'http://a.test/medium/2'])
      })

      promise('a lease goes on in place of its end while its host has more to visit', async (under) => {
        await offer(under, pages('a.test', 5))
        let [lease] = (await under.frontier.lease(1, 2)).leases
        const seen: string[] = []
        for (const left of [3, 1, 0]) {
          seen.push(...urlsOf([lease!]))
          // What is settled counts, though it has not been answered yet.
          const settling = lease!.requests.map(({ url }) => under.frontier.settle(lease!, [{ url, kind: 'done' }]))
          const answer = await under.frontier.release(lease!, touched(lease!), 2)
          assert.deepEqual(new Set(await Promise.all(settling)), new Set(['settled']))
          if (left === 0) assert.equal(answer, 'released')
          else {
            assert.ok(typeof answer === 'object')
            assert.equal(answer.generation, lease!.generation)
            assert.equal(answer.requests.length, Math.min(2, left))
            lease = answer
          }
        }
        assert.deepEqual(
          seen.toSorted(),
          pages('a.test', 5)
            .map(({ url }) => url)
            .toSorted(),
        )
        const { done, leased } = await under.frontier.counts()
        assert.deepEqual({ done, leased }, { done: 5, leased: 0 })
        assert.equal(await under.frontier.release(lease!, touched(lease!), 2), 'lease-lost')
      })

      promise('a retry that is put off is nothing for a lease to go on with', async (under) => {
        await offer(under, pages('a.test', 1))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        const { url } = lease!.requests[0]!
        await under.frontier.settle(lease!, [{ url, kind: 'retry', afterMs: 4000, reason: 'reset' }])
        assert.equal(await under.frontier.release(lease!, touched(lease!), 5), 'released')
      })

      promise('a retry comes when it is due, with its attempts counted', async (under, pause) => {
        await offer(under, pages('a.test', 1))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        const { url } = lease!.requests[0]!
        await under.frontier.settle(lease!, [{ url, kind: 'retry', afterMs: 4000, reason: 'reset' }])
        await under.frontier.release(lease!, touched(lease!))
        await pause()
        assert.equal((await under.frontier.counts()).queued, 1)
        under.advance(3000)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
        under.advance(1000)
        const [again] = (await under.frontier.lease(1, 1)).leases
        assert.equal(again!.requests[0]!.attempts, 1)
      })

      promise('what visits add is summed up once, whatever is repeated or comes too late', async (under, pause) => {
        await offer(under, pages('a.test', 3))
        const [lease] = (await under.frontier.lease(1, 3)).leases
        const [page, again, late] = lease!.requests.map(({ url }) => url)
        const visits = [
          { url: page!, kind: 'done', adds: { pages: 1, bytes: 100 } },
          { url: again!, kind: 'retry', afterMs: 1000, reason: 'reset', adds: { 'errors.reset': 1 } },
        ] as const
        await under.frontier.settle(lease!, visits)
        await under.frontier.settle(lease!, visits)
        await under.frontier.release(lease!, touched(lease!))
        await under.frontier.settle(lease!, [{ url: late!, kind: 'done', adds: { pages: 1 } }])
        await pause()
        assert.deepEqual(await under.frontier.sums(), { pages: 1, bytes: 100, 'errors.reset': 1 })
      })

      promise('a crawl is finished when nothing is queued or leased, and not before', async (under, pause) => {
        await offer(under, [...pages('a.test', 1), ...pages('b.test', 1)])
        assert.equal(await under.frontier.finished(), false)
        const { leases } = await under.frontier.lease(2, 1)
        await finish(under.frontier, leases[0]!)
        assert.equal(await under.frontier.finished(), false)
        const { url } = leases[1]!.requests[0]!
        await under.frontier.settle(leases[1]!, [{ url, kind: 'retry', afterMs: 1, reason: 'reset' }])
        assert.equal(await under.frontier.finished(), false)
        await under.frontier.release(leases[1]!, touched(leases[1]!))
        under.advance(gapMs)
        await pause()
        under.advance(gapMs)
        const [again] = (await under.frontier.lease(1, 1)).leases
        await finish(under.frontier, again!)
        assert.equal(await under.frontier.finished(), true)
      })

      promise('a worker that slept past its lease cannot settle it', async (under) => {
        await offer(under, pages('a.test', 2))
        const [slept] = (await under.frontier.lease(1, 2)).leases
        under.advance(3_600_000)
        assert.equal(
          await under.frontier.settle(slept!, [{ url: slept!.requests[0]!.url, kind: 'done' }]),
          'lease-lost',
        )
        await under.frontier.lease(1, 2)
        under.advance(gapMs)
        const [next] = (await under.frontier.lease(1, 2)).leases
        assert.equal(next!.requests.length, 2)
        assert.ok(next!.generation > slept!.generation)
        assert.equal(await under.frontier.renew(slept!, 1), 'lease-lost')
        assert.equal(await under.frontier.release(slept!, touched(slept!)), 'lease-lost')
        assert.equal((await under.frontier.counts()).done, 0)
      })

      promise('an expired lease makes its host rest for a gap, since its holder may have touched it', async (under) => {
        await offer(under, pages('a.test', 2))
        const [slept] = (await under.frontier.lease(1, 1)).leases
        under.advance(slept!.expiresAt)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
        under.advance(gapMs)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
      })

      promise('a renewed lease lives on and brings further URLs of the same host', async (under) => {
        await offer(under, pages('a.test', 4))
        const [lease] = (await under.frontier.lease(1, 2)).leases
        under.advance(30_000)
        const renewed = await under.frontier.renew(lease!, 2)
        assert.ok(renewed !== 'lease-lost')
        assert.deepEqual(urlsOf([renewed]), ['http://a.test/medium/2', 'http://a.test/medium/3'])
        under.advance(40_000)
        assert.equal(await under.frontier.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done' }]), 'settled')
      })

      promise('of two holds the longer one counts, whichever came first', async (under, pause) => {
        await offer(under, pages('a.test', 2))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        await under.frontier.settle(lease!, [], { ms: 60_000, reason: 'retry-after' })
        await under.frontier.release(lease!, touched(lease!, { hold: { ms: 1_000, reason: 'circuit-open' } }))
        await pause()
        under.advance(30_000)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
        under.advance(30_000)
        assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
      })

      promise('a host that only waits for its own pace is not given up, however slow that is', async (under, pause) => {
        await offer(under, pages('slow.test', 2))
        const [lease] = (await under.frontier.lease(1, 1)).leases
        await under.frontier.release(lease!, touched(lease!, { pace: { ...lease!.pace, gapMs: 300_000 } }))
        await pause()
        assert.equal(await under.frontier.abandon(60_000), 0)
      })

      promise('what cannot be due in time is given up with the reason of its host', async (under, pause) => {
        await offer(under, [...pages('sick.test', 3), ...pages('well.test', 1)])
        for (const lease of (await under.frontier.lease(2, 1)).leases) {
          const hold = lease.host === 'sick.test' ? { ms: 300_000, reason: 'robots-unavailable' } : undefined
          await under.frontier.release(lease, touched(lease, hold ? { hold } : {}))
        }
        assert.equal(await under.frontier.abandon(60_000), 3)
        await pause()
        const counts = await under.frontier.counts()
        assert.deepEqual([counts.dead, counts.queued], [3, 1])
      })
    })
  }

  if (crash) crashConformance(name, crash.open ?? open, crash, options)
}

async function checkSum(frontier: Frontier): Promise<void> {
  const { admitted, queued, leased, done, excluded, dead } = await frontier.counts()
  assert.equal(admitted, queued + leased + done + excluded + dead)
}
