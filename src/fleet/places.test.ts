import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { engineFor } from '../../test/engines.ts'
import { systemClock } from '../clock.ts'
import { UsageError } from '../config/usage-error.ts'
import { enginesConfig } from '../engines/config.ts'
import { connectTo } from '../engines/redis/test-redis.ts'
import { claimPlaces } from './places.ts'

const engine = engineFor('redis')

test('where pages are kept is fixed when a fleet is first used', { skip: engine.skip ?? false }, async (t) => {
  const redis = await connectTo(t, engine.url!)
  const prefix = `test-${randomUUID()}`
  const claim = (opensearch: object, s3: object) =>
    claimPlaces(redis, enginesConfig.parse({ redis: { prefix }, opensearch, s3 }), systemClock())
  await claim({ urls: ['http://one:9200'] }, { bucket: 'pages' })
  await claim({ urls: ['http://another.node:9200'] }, { bucket: 'pages' })
  for (const [opensearch, s3] of [
    [{ prefix: 'other' }, { bucket: 'pages' }],
    [{}, { bucket: 'others' }],
    [{}, { bucket: 'pages', prefix: 'other/' }],
    [{}, {}],
  ] as const)
    await assert.rejects(claim(opensearch, s3), (error) => {
      assert.ok(error instanceof UsageError)
      assert.match(error.message, /keeps its pages by engines\.opensearch\.prefix "[^"]+" and engines\.s3 "pages\//)
      return true
    })
  await redis.del(`${prefix}:places`)
})
