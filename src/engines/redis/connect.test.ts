import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownEngine, startRedis } from '../../../test/engines.ts'
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
  await failing({}, /^No Redis is named/)
})

test('a wrong or missing password is told, a right one is taken from setting or file', async (t) => {
  await using own = await ownEngine(t, () => startRedis({ settings: ['--requirepass', 'secret'] }))
  if (!own) return
  await failing({ url: own.url }, /NOAUTH|[Aa]uthentication/)
  await failing({ url: own.url, password: 'guess' }, /WRONGPASS/)
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-redis-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'secret\n')
  for (const right of [{ password: 'secret' }, { passwordFile }]) {
    const client = await connectRedis(redisConfig.parse({ url: own.url, ...right }))
    assert.equal(await client.ping(), 'PONG')
    client.disconnect()
  }
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
  assert.equal(placeOf(redisConfig.parse({ url: 'redis://user:secret@10.0.0.1:6379/2' })), 'redis://10.0.0.1:6379/2')
})
