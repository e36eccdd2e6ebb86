import assert from 'node:assert/strict'
import type { HostKey } from '../url/keys.ts'
import { bands } from './bands.ts'
import { finish, gapMs, offer, type Promised, pages, touched } from './frontier.fixture.ts'
import type { Band } from './frontier.ts'

/** Who is served first, and that nobody is forgotten for it. */
export function orderConformance(promise: Promised, parts: number): void {
  promise('bands are served 70 : 20 : 10 while all have something to give', async (under) => {
    const hosts = Array.from({ length: 300 }, (_, n) => `h${n}.test`)
    await offer(
      under,
      hosts.flatMap((host, n) => pages(host, 1, (['high', 'medium', 'low'] as const)[n % 3])),
    )
    const { leases } = await under.frontier.lease(100, 1)
    const served = { high: 0, medium: 0, low: 0 }
    for (const { requests } of leases) served[requests[0]!.priority]++
    const shares = { high: 70, medium: 20, low: 10 }
    if (parts === 1) assert.deepEqual(served, shares)
    else for (const band of bands) assert.ok(Math.abs(served[band] - shares[band]) <= parts, `${band} ${served[band]}`)
  })

  promise('no band starves within one host', async (under) => {
    await offer(
      under,
      ['high', 'medium', 'low'].flatMap((band) => pages('a.test', 100, band as Band)),
    )
    const served = { high: 0, medium: 0, low: 0 }
    for (let n = 0; n < 100; n++) {
      const [lease] = (await under.frontier.lease(1, 1)).leases
      served[lease!.requests[0]!.priority]++
      await finish(under.frontier, lease!)
      under.advance(gapMs)
    }
    assert.deepEqual(served, { high: 70, medium: 20, low: 10 })
  })

  promise('no band starves within one lease that goes on and on', async (under) => {
    await offer(
      under,
      ['high', 'medium', 'low'].flatMap((band) => pages('a.test', 100, band as Band)),
    )
    const served = { high: 0, medium: 0, low: 0 }
    let [lease] = (await under.frontier.lease(1, 10)).leases
    for (let n = 0; n < 10; n++) {
      for (const { priority } of lease!.requests) served[priority]++
      const renewed = await under.frontier.renew(lease!, 10)
      assert.ok(renewed !== 'lease-lost')
      lease = renewed
    }
    assert.deepEqual(served, { high: 70, medium: 20, low: 10 })
  })

  promise('answers that are no page say nothing about how new a host is', async (under) => {
    await offer(under, pages('trap.test', 80, 'high'))
    for (let n = 0; n < 60; n++) {
      const [lease] = (await under.frontier.lease(1, 1)).leases
      const { url } = lease!.requests[0]!
      await under.frontier.settle(lease!, [n % 2 ? { url, kind: 'done', nearDuplicate: true } : { url, kind: 'done' }])
      await under.frontier.release(lease!, touched(lease!))
      under.advance(gapMs)
    }
    await offer(under, Array.from({ length: 9 }, (_, n) => pages(`good${n}.test`, 1, 'low')).flat())
    const order = (await under.frontier.lease(10, 1)).leases.map(({ host }) => host)
    assert.ok(order.indexOf('trap.test' as HostKey) > 0, 'it has sunk')
  })

  promise('a host that brings only near-duplicates is served last', async (under, pause) => {
    await offer(under, pages('trap.test', 60, 'high'))
    for (let n = 0; n < 30; n++) {
      const [lease] = (await under.frontier.lease(1, 1)).leases
      await under.frontier.settle(lease!, [{ url: lease!.requests[0]!.url, kind: 'done', nearDuplicate: true }])
      await under.frontier.release(lease!, touched(lease!))
      under.advance(gapMs)
    }
    await offer(under, Array.from({ length: 9 }, (_, n) => pages(`good${n}.test`, 1, 'high')).flat())
    await pause()
    const order = (await under.frontier.lease(10, 1)).leases.map(({ host }) => host)
    assert.equal(order.length, 10)
    assert.ok(order.indexOf('trap.test' as HostKey) > 0)
  })
}
