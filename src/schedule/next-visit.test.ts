import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { blankRecord } from '../store/url-record.fixture.ts'
import { comparison, nextVisit, wasJustMade } from './next-visit.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const intervals = { minMs: hourMs, maxMs: 30 * dayMs }
const planned = (intervalMs: number, timesGone = 0) => ({ intervalMs, timesGone })

describe('the next visit', () => {
  test('a new page is visited again after an interval between the two', () => {
    const { dueAt, intervalMs } = nextVisit('first', undefined, 5, intervals)
    assert.equal(dueAt, 5 + intervalMs)
    assert.ok(intervalMs > intervals.minMs && intervalMs < intervals.maxMs)
  })

  test('a page that changed is visited sooner, one that did not later', () => {
    assert.equal(nextVisit('changed', planned(dayMs), 0, intervals).intervalMs, dayMs / 2)
    assert.equal(nextVisit('unchanged', planned(dayMs), 0, intervals).intervalMs, 1.5 * dayMs)
  })

  test('one interval for all stays as it is, whatever the pages do', () => {
    const daily = { minMs: dayMs, maxMs: dayMs }
    for (const seen of ['first', 'changed', 'unchanged'] as const)
      assert.equal(nextVisit(seen, planned(dayMs), 0, daily).dueAt, dayMs)
  })

  test('a page that is gone is visited rarely, and then never', () => {
    let before = planned(hourMs)
    const due: (number | null)[] = []
    for (let visit = 0; visit < 3; visit++) {
      const next = nextVisit('gone', before, 0, intervals)
      due.push(next.dueAt)
      before = next
    }
    assert.deepEqual(due, [30 * dayMs, 60 * dayMs, null])
  })

  test('a page that comes back is as good as new', () => {
    const next = nextVisit('changed', planned(60 * dayMs, 2), 0, intervals)
    assert.deepEqual(next, { ...nextVisit('first', undefined, 0, intervals), because: 'changed' })
  })

  test('whatever pages do, they are due after the shortest interval and before the longest has passed', () => {
    const seen = fc.array(fc.constantFrom('changed' as const, 'unchanged' as const), { maxLength: 100 })
    const lengths = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 0, max: 1e9 }))
    fc.assert(
      fc.property(seen, lengths, (visits, [minMs, more]) => {
        const between = { minMs, maxMs: minMs + more }
        let next = nextVisit('first', undefined, 0, between)
        for (const visit of visits) {
          next = nextVisit(visit, next, 0, between)
          assert.ok(next.dueAt! >= between.minMs && next.dueAt! <= between.maxMs)
        }
      }),
    )
  })
})

test('a visit that was made a moment ago need not be made again, one that is due must', () => {
  const rest = { band: 'low', etag: '', lastModified: '' } as const
  const madeAt = (at: number) => ({ next: { ...nextVisit('unchanged', planned(dayMs), at, intervals), ...rest } })
  const { dueAt } = madeAt(0).next
  assert.equal(wasJustMade(madeAt(0), 1000), true)
  assert.equal(wasJustMade(madeAt(0), dueAt!), false)
  assert.equal(wasJustMade(madeAt(0), dueAt! - 60_000), false, 'by a clock that is a minute late')
  assert.equal(wasJustMade({}, 1000), false)
})

describe('what a visit showed', () => {
  const page = blankRecord('https://a.test/', {
    title: 'A',
    text: 'words',
    links: ['https://a.test/b'],
    contentHash: '1',
  })

  test('other bytes that say the same are no change', () => {
    assert.equal(comparison(page, { ...page, contentHash: '2' }), 'unchanged')
  })

  test('other words, another title, other links are', () => {
    for (const change of [{ text: 'other words' }, { title: 'B' }, { links: [] }])
      assert.equal(comparison(page, { ...page, contentHash: '2', ...change }), 'changed')
  })

  test('of what has no words the bytes count', () => {
    const image = { ...page, kind: 'other' as const, title: '', text: '', links: [] }
    assert.equal(comparison(image, { ...image, contentHash: '2' }), 'changed')
    assert.equal(comparison(image, image), 'unchanged')
  })

  test('a redirect that leads elsewhere has changed, one that says it in other words has not', () => {
    const redirect = { ...page, kind: 'redirect' as const, status: 301, finalUrl: 'https://a.test/b' }
    assert.equal(comparison(redirect, { ...redirect, contentHash: '2' }), 'unchanged')
    assert.equal(comparison(redirect, { ...redirect, finalUrl: 'https://a.test/c' }), 'changed')
  })

  test('404 and 410 say that it is gone, also at first sight', () => {
    for (const status of [404, 410]) {
      assert.equal(comparison(page, { ...page, status, kind: 'other' }), 'gone')
      assert.equal(comparison(undefined, { ...page, status, kind: 'other' }), 'gone')
    }
  })
})
