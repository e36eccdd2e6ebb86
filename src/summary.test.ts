import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from './running-crawl.ts'
import { summarizer } from './summary.ts'

test('what is left of a crawl is also what its workers have not yet given back', () => {
  const counts = { admitted: 205, queued: 120, leased: 30, done: 55, excluded: 0, dead: 0 }
  const progress = { counts, tally: {} } as unknown as Progress
  assert.equal(summarizer()(progress, 'limit').queued, 150)
})
