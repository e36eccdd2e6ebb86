import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sundries } from './sundries.ts'

test('what was counted aside goes along with the next settlement, once', () => {
  const sundries = new Sundries()
  sundries.add('requests')
  sundries.add('requests')
  assert.deepEqual(sundries.takeWith({ requests: 1, pages: 1 }), { requests: 3, pages: 1 })
  assert.deepEqual(sundries.takeWith({ pages: 1 }), { pages: 1 })
  assert.deepEqual(sundries.takeWith(undefined), {})
})
