import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

test('tasks of one key come one after the other, also after one that failed; other keys do not wait', async () => {
  const turns = new Turns()
  const log: string[] = []
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const first = turns.take('a', async () => {
    log.push('a1 begins')
    await held
    log.push('a1 fails')
    throw new Error('a1')
  })
  const second = turns.take('a', async () => void log.push('a2'))
  await turns.take('b', async () => void log.push('b'))
  letGo()
  await assert.rejects(first, /a1/)
  await second
  assert.deepEqual(log, ['a1 begins', 'b', 'a1 fails', 'a2'])
})
