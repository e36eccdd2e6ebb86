import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../config/usage-error.ts'
import { trustedContext } from './tls-trust.ts'

test('all connections are given the same context', () => {
  const context = trustedContext([])
  assert.equal(context(), context())
})

test('a file that holds no certificate is refused at once, by name', () => {
  assert.throws(
    () => trustedContext([import.meta.filename]),
    (error) => error instanceof UsageError && error.message.includes(import.meta.filename),
  )
})
