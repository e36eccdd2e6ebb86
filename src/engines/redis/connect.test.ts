import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { UsageError } from '../../config/usage-error.ts'
import { redisConfig } from './config.ts'
import { connectRedis, placeOf } from './connect.ts'

const failing = (config: Parameters<typeof redisConfig.parse>[0], sentence: RegExp) =>
  assert.rejects(connectRedis(redisConfig.parse(config), 1000), (error: Error) => {
    assert.ok(error instanceof UsageError)
    assert.match(error.message, sentence)
    return true
  })

test('an engine that is not there is told in one sentence', async () => {
  await failing(
    { url: 'redis://127.0.0.1:1' },
    /^Redis at redis:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED[^.]*127\.0\.0\.1:1\.$/,
  )
  await failing({ cluster: ['127.0.0.1:1'] }, /^Redis at 127\.0\.0\.1:1 \(Cluster\) cannot be used: .*[^.]\.$/)
})

test('a wrong address is refused before anything is tried', async () => {
  await failing({ url: 'http://user:secret@127.0.0.1' }, /^"http:\/\/127\.0\.0\.1" is no address of a Redis/)
  await failing({ cluster: ['one two'] }, /^"one two" is no host and port/)
  await failing({ url: 'redis://:50%off@127.0.0.1' }, /^engines\.redis\.url has a "%" .* must be written as %25/)
  await failing({ url: 'redis://:a/secret@127.0.0.1' }, /^engines\.redis\.url is no address of a Redis: [^@]*%40/)
  await failing({}, /^No Redis is named/)
})

test('an engine that takes the call and says nothing is not waited for without end', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  try {
    await failing({ url: `redis://127.0.0.1:${port}` }, /cannot be used: /)
  } finally {
    silent.close()
  }
})

test('what people are shown has no secret in it', () => {
  const shown = (url: string) => placeOf(redisConfig.parse({ url }))
  assert.equal(shown('redis://user:secret@10.0.0.1:6379/2'), 'redis://10.0.0.1:6379/2')
  assert.equal(shown('redis://user:se/c@ret@10.0.0.1'), 'redis://10.0.0.1')
  assert.equal(shown('redis://10.0.0.1/2?password=secret'), 'redis://10.0.0.1/2')
  assert.doesNotMatch(placeOf(redisConfig.parse({ cluster: ['user:secret@10.0.0.1'] })), /secret/)
  assert.doesNotMatch(placeOf(redisConfig.parse({ sentinels: ['user:secret@10.0.0.1'] })), /secret/)
})
