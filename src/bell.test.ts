import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { Bell } from './bell.ts'

test('all who wait are woken once', async () => {
  const bell = new Bell()
  const heard = [bell.heard(), bell.heard()]
  bell.ring()
  await Promise.all(heard)
})

test('who comes after the ring waits for the next one', async () => {
  const bell = new Bell()
  bell.ring()
  const late = bell.heard()
  assert.equal(await Promise.race([late, Promise.resolve('waits')]), 'waits')
  bell.ring()
  await late
})

test('a signal wakes its own, and nothing is left behind on it', async () => {
  const bell = new Bell()
  const ending = new AbortController()
  const rung = bell.heard(ending.signal)
  bell.ring()
  await rung
  assert.equal(getEventListeners(ending.signal, 'abort').length, 0)
  const other = bell.heard(ending.signal)
  ending.abort()
  await other
  await bell.heard(ending.signal)
})
