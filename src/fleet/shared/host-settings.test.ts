import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../clock.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { registryKeys } from '../registry/keys.ts'
import { openSharedHostSettings, type SharedHostSettings } from './host-settings.ts'

const clock = systemClock()

for (const { name, skip, connect } of testRedises)
  describe(`${name}: shared host settings`, { skip }, () => {
    test('what is set holds here at once, and elsewhere soon', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const here = await open(t, client, prefix)
      const elsewhere = await open(t, client, prefix)
      await here.set('a.test', { delayMs: 5000, note: 'asked by mail' })
      assert.deepEqual(here.for('a.test'), { delayMs: 5000, note: 'asked by mail' })
      await until(() => elsewhere.for('a.test').delayMs === 5000)
      assert.equal(await here.remove('a.test'), true)
      await until(() => elsewhere.for('a.test').delayMs === undefined)
      assert.equal(await here.remove('a.test'), false)
    })

    test('each setting comes from the most specific entry that has it', async (t) => {
      const settings = await open(t, await connect(t), somePrefix())
      await settings.set('*.test', { delayMs: 1, pause: true })
      await settings.set('*.a.test', { delayMs: 2, block: true })
      await settings.set('b.a.test', { delayMs: 3, pause: false })
      assert.deepEqual(settings.for('b.a.test'), { delayMs: 3, pause: false, block: true })
      assert.deepEqual(settings.for('c.a.test'), { delayMs: 2, pause: true, block: true })
      assert.deepEqual(settings.for('a.test'), { delayMs: 1, pause: true })
      assert.deepEqual(settings.for('test'), {})
    })

    test('an entry takes the place of the one before', async (t) => {
      const settings = await open(t, await connect(t), somePrefix())
      await settings.set('a.test', { delayMs: 5000 })
      await settings.set('a.test', { block: true })
      assert.deepEqual(settings.for('a.test'), { block: true })
      assert.deepEqual(await settings.list(), [{ host: 'a.test', setting: { block: true } }])
    })

    test('many hosts are all listed, in order', async (t) => {
      const settings = await open(t, await connect(t), somePrefix())
      const hosts = Array.from({ length: 1200 }, (_, i) => `h${String(i).padStart(4, '0')}.test`)
      await Promise.all(hosts.slice(0, 1199).map((host) => settings.set(host, { delayMs: 1 })))
      await settings.set(hosts[1199]!, { delayMs: 1 })
      assert.deepEqual(
        (await settings.list()).map(({ host }) => host),
        hosts,
      )
      assert.equal(settings.for('h0777.test').delayMs, 1)
    })

    test('what makes no sense is refused by name, and nothing changes', async (t) => {
      const settings = await open(t, await connect(t), somePrefix())
      await assert.rejects(settings.set('A.test', {}), {
        name: 'UsageError',
        message: '"A.test" is not a host name, in lower case, or *.domain.',
      })
      await assert.rejects(settings.set('a.test', { delayMs: -1 }), { name: 'UsageError', message: /delayMs/ })
      await assert.rejects(settings.set('a.test', { speed: 1 } as never), { name: 'UsageError', message: /speed/ })
      assert.deepEqual(await settings.list(), [])
    })

    test('settings that this version does not know are answered with one clear sentence, and the old ones stay', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const { hostSettings, hostSettingsVersion } = registryKeys(prefix)
      const failures: unknown[] = []
      const settings = await open(t, client, prefix, (error) => failures.push(error))
      await settings.set('a.test', { delayMs: 7 })
      await client.hset(hostSettings, 'b.test', '{"colour":"red"}')
      await client.set(hostSettingsVersion, '9999999999999')
      await until(() => failures.length === 1)
      assert.match(String(failures[0]), /:hosts" holds something that this version of Orbweaver does not understand/)
      assert.equal(settings.for('a.test').delayMs, 7)
      await assert.rejects(open(t, client, prefix), /:hosts" holds something that this version/)
    })
  })

async function open(
  t: TestContext,
  client: RedisClient,
  prefix: string,
  // The connection is closed before the settings are: what they miss from then on is nobody's fault.
  fail: (error: unknown) => void = (error) => client.status === 'ready' && assert.ifError(error),
): Promise<SharedHostSettings> {
  const settings = await openSharedHostSettings({ client, prefix, clock, everyMs: 10, fail })
  t.after(() => settings[Symbol.asyncDispose]())
  return settings
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = clock.now() + 5000
  while (!holds()) {
    assert.ok(clock.now() < deadline)
    await clock.sleep(5)
  }
}
