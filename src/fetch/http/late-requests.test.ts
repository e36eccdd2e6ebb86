import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Clock, systemClock } from '../../clock.ts'
import { failureCodeOf, startHttpServer, testFetcher } from './servers.fixture.ts'

/** Time that can be made to jump, as it does for a process that was stopped and goes on. */
function leapingClock(): Clock & { leap(ms: number): void } {
  const clock = systemClock()
  let aheadMs = 0
  return {
    now: () => clock.now() + aheadMs,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    leap(ms) {
      aheadMs += ms
    },
  }
}

describe('requests of a machine that stood still', () => {
  test('what may no longer go out does not, on a new connection and on one that is open; the next one does', async () => {
    const seen: string[] = []
    await using server = await startHttpServer((request, response) => {
      seen.push(request.url!)
      response.end('here')
    })
    const clock = leapingClock()
    await using fetcher = testFetcher({ clock })
    const at = (path: string, leftMs: number) => fetcher.fetch(server.url(path), { sendBefore: clock.now() + leftMs })
    assert.equal(failureCodeOf(await at('/late', 0)), 'cancelled')
    assert.equal(failureCodeOf(await at('/in-time', 5000)), 'fetched 200')
    assert.equal(failureCodeOf(await at('/late-again', 0)), 'cancelled')
    assert.equal(failureCodeOf(await at('/in-time-again', 5000)), 'fetched 200')
    assert.deepEqual(seen, ['/in-time', '/in-time-again'])
  })

  test('it is the moment of sending that counts, not the one at which it was asked for', async () => {
    let sent = 0
    await using server = await startHttpServer((_, response) => response.end('here'))
    const clock = leapingClock()
    await using fetcher = testFetcher({ clock })
    const fetching = fetcher.fetch(server.url(), { sendBefore: clock.now() + 5000, onSent: () => sent++ })
    clock.leap(6000)
    assert.equal(failureCodeOf(await fetching), 'cancelled')
    assert.equal(sent, 0)
  })

  test('an answer that came while nobody looked is read, however long that was', async () => {
    const asked = Promise.withResolvers<void>()
    await using server = await startHttpServer(async (_, response) => {
      asked.resolve()
      setTimeout(() => response.end('here'), 300)
    })
    const clock = leapingClock()
    await using fetcher = testFetcher({ clock, firstByteTimeoutMs: 1000, totalTimeoutMs: 1000, bodyTimeoutMs: 1000 })
    const fetching = fetcher.fetch(server.url())
    await asked.promise
    clock.leap(60_000)
    const outcome = await fetching
    assert.equal(failureCodeOf(outcome), 'fetched 200')
    assert.ok(outcome.kind !== 'failed' && outcome.exchange.durationMs < 10_000, 'the host is not called slow for it')
  })

  test('a server that is silent afterwards too is given up', async () => {
    const asked = Promise.withResolvers<void>()
    await using server = await startHttpServer(() => asked.resolve())
    const clock = leapingClock()
    await using fetcher = testFetcher({ clock, firstByteTimeoutMs: 300, totalTimeoutMs: 300 })
    const fetching = fetcher.fetch(server.url())
    await asked.promise
    clock.leap(60_000)
    assert.equal(failureCodeOf(await fetching), 'first-byte-timeout')
  })
})
