import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Vitals } from '../../../api/schemas/overview.ts'
import { errorKinds } from './error-kinds.ts'

const vitals = (errors: Record<string, number>) => ({ errors }) as unknown as Vitals

test('the most frequent kinds stand by themselves, and nothing is left out', () => {
  const now = vitals({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 })
  const kinds = errorKinds([vitals({ a: 100 })], now)
  assert.deepEqual(
    kinds.map(({ name, now: times }) => [name, times]),
    [
      ['a', 1],
      ['f', 6],
      ['e', 5],
      ['d', 4],
      ['others', 5],
    ],
  )
})

test('a kind that has gone is still drawn where it was', () => {
  const [gone] = errorKinds([vitals({ timeout: 7 })], vitals({}))
  assert.deepEqual([gone?.name, gone?.now, gone?.read(vitals({ timeout: 7 }))], ['timeout', 0, 7])
})

test('where nothing fails there are no kinds', () => {
  assert.deepEqual(errorKinds([], vitals({})), [])
})
