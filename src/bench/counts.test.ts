import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFaults } from './counts.ts'
import { runOf } from './runs.fixture.ts'

const { summary } = runOf({ pages: 100 })
const site = { pages: 100, repeats: 0, robots: 1, otherRequests: 0 }
const expected = { pages: 100, robots: 1 }

test('a crawl that saw every page once has no fault', () => {
  assert.deepEqual(countFaults(expected, summary, site), [])
})

test('a page too few, a page twice and a failure are faults, each by its name', () => {
  assert.deepEqual(countFaults(expected, { ...summary, pages: 99 }, site), ['99 pages in the crawl, expected 100'])
  assert.deepEqual(countFaults(expected, summary, { ...site, repeats: 2 }), ['2 pages asked for twice, expected 0'])
  assert.deepEqual(countFaults(expected, { ...summary, failed: 1 }, site), ['1 URLs that failed, expected 0'])
  assert.deepEqual(countFaults(expected, summary, { ...site, robots: 3 }), ['3 robots.txt files asked for, expected 1'])
})
