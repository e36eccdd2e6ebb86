import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidents, victimOf } from './plan.ts'

const counts = { 'kill-worker': 100, 'cut-redis': 5, 'restart-redis': 1 }

test('the same seed tells the same story, another one another', () => {
  assert.deepEqual(incidents(1, 1000, counts), incidents(1, 1000, counts))
  assert.notDeepEqual(incidents(1, 1000, counts), incidents(2, 1000, counts))
})

test('every incident happens, in the order of the crawl, while it still runs', () => {
  const story = incidents(3, 1000, counts)
  for (const [kind, count] of Object.entries(counts))
    assert.equal(story.filter((incident) => incident.kind === kind).length, count)
  assert.ok(story.every(({ afterPages }, i) => afterPages >= (story[i - 1]?.afterPages ?? 1) && afterPages <= 900))
})

test('a victim is found in every list that has somebody', () => {
  const story = incidents(4, 1000, counts)
  const workers = ['a', 'b', 'c', 'd']
  assert.deepEqual(new Set(story.map((incident) => victimOf(incident, workers))), new Set(workers))
  assert.equal(victimOf(story[0]!, []), undefined)
})
