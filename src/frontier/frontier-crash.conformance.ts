import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertAnswers,
  candidate,
  type FrontierUnderTest,
  finish,
  gapMs,
  offer,
  pages,
  touched,
} from './frontier.fixture.ts'

/** What holds after a crash, of the process or of the engine. */
export function crashConformance(
  name: string,
  open: () => Promise<FrontierUnderTest>,
  { forgets, restMs }: { readonly forgets: boolean; readonly restMs: number },
  options: { readonly skip: string | boolean },
): void {
  describe(`frontier after a crash: ${name}`, options, () => {
    test('what was synced is there, leased URLs are queued again, old leases are refused', async () => {
      await using under = await open()
      await offer(under, [...pages('a.test', 3), ...pages('b.test', 3)])
      const [first, second] = (await under.frontier.lease(2, 2)).leases
      await under.frontier.settle(first!, [{ url: first!.requests[0]!.url, kind: 'done' }])
      await under.frontier.sync()
      await under.frontier.settle(second!, [{ url: second!.requests[0]!.url, kind: 'done' }])
      await offer(under, [candidate('http://c.test/lost')])
      await under.crash()
      under.advance(restMs - gapMs)
      assert.deepEqual((await under.frontier.lease(9, 9)).leases, [])
      const done = forgets ? 1 : 2
      const admitted = forgets ? 6 : 7
      assert.deepEqual(await under.frontier.counts(), {
        ...{ admitted, queued: admitted - done, leased: 0, done, excluded: 0, dead: 0 },
      })
      assert.equal(await under.frontier.renew(first!, 1), 'lease-lost')
      const again = forgets ? 'admitted' : 'known'
      assertAnswers(under, await offer(under, [candidate('http://c.test/lost')]), [again])
    })

    test('a revisit that was leased waits again, once, and is a revisit still', async () => {
      await using under = await open()
      const [page] = pages('a.test', 1)
      await offer(under, [page!])
      const [first] = (await under.frontier.lease(1, 1)).leases
      await finish(under.frontier, first!)
      await under.frontier.revisit([page!])
      under.advance(gapMs)
      await under.frontier.lease(1, 1)
      await under.frontier.sync()
      await under.crash()
      assert.deepEqual(await under.frontier.revisit([page!]), ['waiting'])
      under.advance(restMs)
      const now = await under.frontier.lease(9, 9)
      // Where leases outlive the crash, the host rests for a gap more once this one has expired.
      under.advance(gapMs)
      const later = await under.frontier.lease(9, 9)
      assert.deepEqual(
        [...now.leases, ...later.leases].flatMap(({ requests }) => requests.map(({ isRevisit }) => isRevisit)),
        [true],
      )
    })

    test('every host rests for a gap, since it may have been touched a moment before', async () => {
      await using under = await open()
      await offer(under, pages('a.test', 2))
      await under.frontier.sync()
      await under.crash()
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
      under.advance(restMs)
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
    })

    test('so does a host that is found again', async () => {
      await using under = await open()
      await offer(under, pages('a.test', 1))
      await under.frontier.sync()
      await offer(under, pages('b.test', 1))
      await under.crash()
      await offer(under, pages('b.test', 1))
      assert.equal((await under.frontier.lease(2, 1)).leases.length, 0)
      under.advance(restMs)
      assert.equal((await under.frontier.lease(2, 1)).leases.length, 2)
    })

    test('a host that asked for rest gets it', async () => {
      await using under = await open()
      await offer(under, pages('a.test', 2))
      const [lease] = (await under.frontier.lease(1, 1)).leases
      const hold = { ms: 10 * restMs, reason: 'retry-after' }
      await under.frontier.release(lease!, touched(lease!, { hold }))
      await sleep(20)
      await under.crash()
      under.advance(9 * restMs)
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
      under.advance(restMs)
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
    })

    test('a rest that a server asked for is kept, though the lease was still open', async () => {
      await using under = await open()
      await offer(under, pages('a.test', 2))
      const [lease] = (await under.frontier.lease(1, 1)).leases
      await under.frontier.settle(lease!, [], { ms: 30 * restMs, reason: 'retry-after' })
      await sleep(20)
      await under.crash()
      under.advance(20 * restMs)
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
      under.advance(10 * restMs)
      assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
    })

    test('generations do not repeat', async () => {
      await using under = await open()
      await offer(under, pages('a.test', 2))
      await under.frontier.sync()
      const [before] = (await under.frontier.lease(1, 1)).leases
      await under.crash()
      under.advance(restMs - gapMs)
      assert.deepEqual((await under.frontier.lease(1, 1)).leases, [])
      under.advance(gapMs)
      const [after] = (await under.frontier.lease(1, 1)).leases
      assert.ok(after!.generation > before!.generation)
    })
  })
}
