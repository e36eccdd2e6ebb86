import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineFor } from '../test/engines.ts'
import { engineNames } from './engines/names.ts'
import { variables } from './engines/shown.ts'
import type { Start } from './engines/start-engines.ts'
import { isForWantOfEngine, showStarts } from './test-engines.ts'

const missing: Start = { name: 'kafka', kind: 'missing', reason: 'Kafka: no JDK found (needs 17 or newer)' }

test('a test gets the engine that was started, or the reason why it was not', () => {
  const redis: Start = { name: 'redis', kind: 'given', url: 'redis://127.0.0.1:1' }
  const environment = variables([redis, missing])
  assert.deepEqual(engineFor('redis', environment), { url: 'redis://127.0.0.1:1' })
  assert.deepEqual(engineFor('kafka', environment), { skip: 'Kafka: no JDK found (needs 17 or newer)' })
})

test('every skip for want of an engine is known as one, others are not', () => {
  for (const name of engineNames) assert.ok(isForWantOfEngine(engineFor(name, {}).skip!))
  assert.ok(isForWantOfEngine(missing.reason))
  assert.ok(!isForWantOfEngine('this machine has no IPv6'))
})

test('a run begins with which engines there are and what is missing', () => {
  const s3: Start = { name: 's3', kind: 'started', url: '', stop: async () => {} }
  const redis: Start = { name: 'redis', kind: 'given', url: '' }
  assert.equal(
    showStarts([redis, s3, missing], 2.51),
    'Engines started in 2.5 s: S3\nEngines given: Redis\nMissing: Kafka: no JDK found (needs 17 or newer)',
  )
})
