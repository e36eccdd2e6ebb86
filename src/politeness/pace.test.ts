import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { politenessConfig } from './config.ts'
import { settingsFor, withCrawlDelay } from './host-settings.ts'
import { afterOutcome, type HostEvent, inheritedPace, initialPace, type Pace, parseRetryAfter } from './pace.ts'

const settings = settingsFor('example.com', politenessConfig.parse({}))
const calm = initialPace(settings, null)
const ok: HostEvent = { kind: 'ok', latencyMs: 50 }
const failure: HostEvent = { kind: 'failure' }
const throttled = (retryAfterMs: number | null = null): HostEvent => ({ kind: 'throttled', retryAfterMs })

function after(pace: Pace, events: readonly HostEvent[], given = settings) {
  return events.reduce<ReturnType<typeof afterOutcome>>(
    (state, event, index) => afterOutcome(state.pace, event, index, given),
    { pace },
  )
}

describe('the first pace', () => {
  test('a stranger is asked once a second, by one connection', () => {
    assert.deepEqual(calm, { gapMs: 1000, burst: 1, connections: 1, failures: 0 })
  })

  test('a crawl-delay slows down, never speeds up, and takes away burst and connections', () => {
    const generous = { ...settings, burst: 10, connections: 4 }
    assert.deepEqual(initialPace(generous, 5000), { gapMs: 5000, burst: 1, connections: 1, failures: 0 })
    assert.deepEqual(initialPace(generous, 500), { gapMs: 1000, burst: 10, connections: 4, failures: 0 })
    assert.equal(initialPace({ ...settings, delayMs: 0 }, 5000).gapMs, 5000)
  })

  test('an absurd crawl-delay is held to its limit', () => {
    assert.equal(initialPace(settings, 86_400_000).gapMs, settings.maxCrawlDelayMs)
  })

  test('the owner of a host who ignores its robots.txt ignores its crawl-delay', () => {
    assert.equal(initialPace({ ...settings, ignoreRobots: true }, 5000).gapMs, 1000)
  })

  test('the next holder inherits slowness and failures, but no allowance that is gone', () => {
    const left = { gapMs: 8000, burst: 9, connections: 9, failures: 3, slowedAt: 123 }
    assert.deepEqual(inheritedPace(left, settings, null), { gapMs: 8000, burst: 1, connections: 1, failures: 3 })
    assert.equal(inheritedPace({ ...left, gapMs: 10 }, settings, 4000).gapMs, 4000)
  })
})

describe('the pace after what a host did', () => {
  test('a calm host keeps its pace', () => {
    assert.deepEqual(after(calm, [ok, ok, ok]), { pace: calm })
  })

  test('throttling halves the pace at once, up to the limit, and good answers bring it back slowly', () => {
    const slow = after(calm, [throttled()])
    assert.equal(slow.pace.gapMs, 2000)
    assert.equal(slow.hold, undefined)
    assert.equal(after(calm, Array(20).fill(throttled())).pace.gapMs, settings.maxGapMs)
    const recovering = after(slow.pace, [ok])
    assert.ok(recovering.pace.gapMs > 1500 && recovering.pace.gapMs < 2000)
    assert.equal(after(slow.pace, Array(50).fill(ok)).pace.gapMs, 1000)
  })

  test('a host without delay that throttles is given one, and loses it again', () => {
    const own = { ...settings, delayMs: 0 }
    const pace = initialPace(own, null)
    assert.equal(after(pace, [throttled()], own).pace.gapMs, own.throttledGapMs)
    assert.equal(after(pace, [throttled(), ...Array<HostEvent>(100).fill(ok)], own).pace.gapMs, 0)
  })

  test('Retry-After is obeyed, up to its limit', () => {
    assert.deepEqual(after(calm, [throttled(7000)]).hold, { ms: 7000, reason: 'retry-after' })
    assert.equal(after(calm, [throttled(1e12)]).hold?.ms, settings.maxRetryAfterMs)
    assert.equal(after(calm, [throttled(0)]).hold, undefined)
  })

  test('answers to requests that were open when the pace was lowered change it no further', () => {
    const { pace } = afterOutcome(calm, throttled(), 1000, settings, 900)
    assert.equal(afterOutcome(pace, throttled(), 1001, settings, 950).pace.gapMs, 2000)
    assert.equal(afterOutcome(pace, ok, 1001, settings, 950).pace.gapMs, 2000)
    assert.equal(afterOutcome(pace, throttled(9000), 1001, settings, 950).hold?.ms, 9000)
    assert.equal(afterOutcome(pace, throttled(), 3001, settings, 3000).pace.gapMs, 4000)
  })

  test('failures in a row open the circuit, each further one for twice as long, up to the limit', () => {
    assert.equal(after(calm, Array(4).fill(failure)).hold, undefined)
    const holds = [5, 6, 7, 20, 2000].map((count) => after(calm, Array(count).fill(failure)).hold)
    assert.deepEqual(
      holds.map((hold) => hold?.ms),
      [30_000, 60_000, 120_000, 600_000, 600_000],
    )
    assert.equal(holds[0]?.reason, 'circuit-open')
  })

  test('one good answer closes the circuit', () => {
    const mended = after(calm, [...Array<HostEvent>(9).fill(failure), ok])
    assert.equal(mended.pace.failures, 0)
    assert.equal(after(mended.pace, Array(4).fill(failure)).hold, undefined)
  })

  test('sixteen open requests that fail together open the circuit once', () => {
    let state: ReturnType<typeof afterOutcome> = { pace: calm }
    const holds = Array.from({ length: 16 }, (_, index) => {
      state = afterOutcome(state.pace, failure, 100 + index, settings, 50)
      return state.hold
    })
    assert.equal(holds.filter((hold) => hold).length, 1)
    assert.equal(state.pace.failures, 5)
  })

  test('failures slow a host down, but not to a crawl', () => {
    assert.equal(after(calm, [failure]).pace.gapMs, 1500)
    assert.equal(after(calm, Array(50).fill(failure)).pace.gapMs, 4000)
  })

  test('a host that answers slowly is asked no more often than it answers', () => {
    const slow: HostEvent = { kind: 'ok', latencyMs: 3000 }
    assert.equal(after(calm, [slow]).pace.gapMs, 2000)
    assert.equal(after(calm, [slow, slow]).pace.gapMs, 3000)
    assert.equal(after(calm, [{ kind: 'ok', latencyMs: 1e9 }]).pace.gapMs, 2000)
    const own = { ...settings, delayMs: 0 }
    assert.equal(after(initialPace(own, null), [slow, slow], own).pace.gapMs, 0)
  })

  test('whatever happens, a host is never asked more often than its delay and crawl-delay allow', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('ok' as const), latencyMs: fc.nat(100_000) }),
      fc.constant(failure),
      fc.record({ kind: fc.constant('throttled' as const), retryAfterMs: fc.option(fc.nat()) }),
    )
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(500_000), fc.array(event, { maxLength: 40 }), (delayMs, askedMs, events) => {
        const own = withCrawlDelay({ ...settings, delayMs }, askedMs)
        const { gapMs, failures } = after(initialPace(own, askedMs), events, own).pace
        assert.ok(Number.isSafeInteger(gapMs) && gapMs >= delayMs && gapMs >= Math.min(askedMs, own.maxCrawlDelayMs))
        assert.ok(failures <= events.length)
      }),
    )
  })
})

describe('Retry-After', () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 37)

  test('is a number of seconds or a date in any of the three forms', () => {
    assert.equal(parseRetryAfter('120', now), 120_000)
    assert.equal(parseRetryAfter(' 0 ', now), 0)
    for (const date of ['Sun, 06 Nov 1994 08:50:37 GMT', 'Sunday, 06-Nov-94 08:50:37 GMT', 'Sun Nov  6 08:50:37 1994'])
      assert.equal(parseRetryAfter(date, now), 60_000, date)
  })

  test('in the past means now, and beyond the limit means the limit', () => {
    assert.equal(parseRetryAfter('Sun, 06 Nov 1990 08:49:37 GMT', now), 0)
    assert.equal(parseRetryAfter('Sun, 06 Nov 2094 08:49:37 GMT', now), 86_400_000)
    assert.equal(parseRetryAfter('9'.repeat(400), now, 5000), 5000)
  })

  test('says nothing when it is neither', () => {
    for (const text of ['', 'soon', '-5', '1.5', '1e3', 'Sun, 99 Foo 1994', 'x'.repeat(10_000)])
      assert.equal(parseRetryAfter(text, now), null, text)
  })
})
