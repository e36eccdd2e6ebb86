import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ownEngine, startRedis } from '../../../../test/engines.ts'
import { systemClock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { connectTo, somePrefix, testRedises } from '../../../engines/redis/test-redis.ts'
import type { Resolution } from '../../resolver.ts'
import { redisNameHints } from './redis-name-hints.ts'

const clock = systemClock()
const resolved: Resolution = {
  kind: 'resolved',
  addresses: [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ],
  ttlMs: 60_000,
}

for (const { name, skip, connect } of testRedises)
  describe(`${name}: name hints`, { skip }, () => {
    test('an answer is known to others for what is left of its life', async (t) => {
      const prefix = somePrefix()
      const { hints } = open(await connect(t), prefix)
      const others = open(await connect(t), prefix).hints
      hints.put('a.test', resolved)
      const { ttlMs, ...hint } = (await until(() => others.get('a.test')))!
      assert.deepEqual({ ...hint, ttlMs: 60_000 }, resolved)
      assert.ok(ttlMs > 0 && ttlMs <= 60_000)
      assert.equal(await others.get('b.test'), undefined)
    })

    test('a name that does not exist is told, a failure is not', async (t) => {
      const { hints } = open(await connect(t), somePrefix())
      hints.put('failed.test', { kind: 'failed', detail: 'SERVFAIL', ttlMs: 5000 })
      hints.put('none.test', { kind: 'not-found', detail: 'ENOTFOUND', ttlMs: 5000 })
      assert.equal((await until(() => hints.get('none.test')))?.kind, 'not-found')
      assert.equal(await hints.get('failed.test'), undefined)
    })

    test('no answer lives longer than a day, and one without a life is not kept', async (t) => {
      const { hints } = open(await connect(t), somePrefix())
      hints.put('short.test', { ...resolved, ttlMs: 0 })
      hints.put('long.test', { ...resolved, ttlMs: 1e12 })
      assert.ok((await until(() => hints.get('long.test')))!.ttlMs <= 86_400_000)
      assert.equal(await hints.get('short.test'), undefined)
    })

    test('what is no hint is told once in one clear sentence, and counts as none', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const { hints, troubles } = open(client, prefix)
      const wrong = [
        'x',
        '{}',
        '{"kind":"resolved","addresses":[]}',
        '{"kind":"resolved","addresses":[{"address":"evil","family":4}]}',
      ]
      for (const value of wrong) {
        await client.set(`${prefix}:dns:a.test`, value, 'PX', 10_000)
        assert.equal(await hints.get('a.test'), undefined)
      }
      await client.del(`${prefix}:dns:a.test`)
      await client.hset(`${prefix}:dns:a.test`, 'a', 'b')
      await client.pexpire(`${prefix}:dns:a.test`, 10_000)
      assert.equal(await hints.get('a.test'), undefined)
      assert.equal(troubles.length, wrong.length + 1)
      for (const trouble of troubles) assert.match(String(trouble), /:dns:a.test" holds something that this version/)
    })
  })

test('names do not wait for an engine that is away, and are told of again when it is back', async (t: TestContext) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const { hints, troubles } = open(await connectTo(t, engine.url), somePrefix())
  process.kill(engine.pid, 'SIGSTOP')
  assert.equal(await hints.get('a.test'), undefined)
  for (let i = 0; i < 5000; i++) hints.put(`n${i}.test`, resolved)
  process.kill(engine.pid, 'SIGCONT')
  hints.put('a.test', resolved)
  await until(() => {
    hints.put('a.test', resolved)
    return hints.get('a.test')
  })
  await engine.kill()
  assert.equal(await hints.get('a.test'), undefined)
  assert.deepEqual(troubles, [])
})

function open(client: RedisClient, prefix: string) {
  const troubles: unknown[] = []
  return { hints: redisNameHints({ client, prefix, clock, trouble: (error) => troubles.push(error) }), troubles }
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = clock.now() + 5000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined || clock.now() > deadline) return answer
    await clock.sleep(2)
  }
}
