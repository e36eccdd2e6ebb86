import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rises } from './rises.ts'

const look = (rises: Rises<string>, at: number, counters: Record<string, number>, source = 'a') => {
  for (const [name, value] of Object.entries(counters)) rises.see(source, name, value)
  rises.mark(at)
}

test('a rate is the growth over the time asked for', () => {
  const rises = new Rises<string>(60_000)
  look(rises, 0, { pages: 100 })
  assert.equal(rises.perSecond('pages', 5000), 0)
  assert.equal(rises.isKnown, false)
  for (let at = 1000; at <= 20_000; at += 1000) look(rises, at, { pages: 100 + at / 100 })
  assert.equal(rises.perSecond('pages', 5000), 10)
  assert.equal(rises.grown('pages', 60_000), 200)
})

test('what a source had counted before it was first seen is no growth; what it names later is', () => {
  const rises = new Rises<string>(60_000)
  look(rises, 0, { pages: 1_000_000 })
  look(rises, 1000, { pages: 1_000_001, 'error.reset': 3 })
  assert.equal(rises.grown('pages', 60_000), 1)
  assert.equal(rises.grown('error.reset', 60_000), 3)
})

test('sources are added up, and one that begins anew takes nothing back', () => {
  const rises = new Rises<string>(60_000)
  look(rises, 0, { pages: 10 })
  rises.see('b', 'pages', 50)
  look(rises, 1000, { pages: 20 })
  rises.see('b', 'pages', 51)
  look(rises, 2000, { pages: 0 })
  look(rises, 3000, { pages: 5 })
  assert.equal(rises.grown('pages', 60_000), 10 + 1 + 5)
})

test('a source that was gone and comes back begins anew, without a jump', () => {
  const rises = new Rises<string>(60_000)
  look(rises, 0, { pages: 10 })
  look(rises, 1000, { pages: 12 })
  rises.keepOnly(new Set())
  rises.mark(2000)
  look(rises, 3000, { pages: 900 })
  look(rises, 4000, { pages: 901 })
  assert.equal(rises.grown('pages', 60_000), 3)
})

test('what is older than the time kept is forgotten', () => {
  const rises = new Rises<string>(10_000)
  for (let at = 0; at <= 100_000; at += 1000) look(rises, at, { pages: at })
  assert.equal(rises.grown('pages', 10_000), 10_000)
  assert.equal(rises.grown('pages', 1_000_000), 10_000)
})
