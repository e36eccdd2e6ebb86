import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { redisScript } from './script.ts'
import { somePrefix, testRedises } from './test-redis.ts'
import { Turn } from './turn.ts'

for (const { name, skip, connect } of testRedises)
  describe(`${name}: orders of one turn`, { skip }, () => {
    test('what is asked in one turn travels together, one trip to each node', async (t) => {
      const turn = new Turn(await connect(t))
      const prefix = somePrefix()
      const keys = Array.from({ length: 100 }, (_, i) => `${prefix}:${i}`)
      await Promise.all(keys.map((key) => turn.ask({ keys: [key], command: 'SET', args: [key] })))
      const answers = await Promise.all(keys.map((key) => turn.ask({ keys: [key], command: 'GET' })))
      assert.deepEqual(answers.map(String), keys)
      assert.equal(turn.trips, name === 'redis' ? 2 : 6)
    })

    test('one that fails takes nothing away from the others', async (t) => {
      const client = await connect(t)
      const turn = new Turn(client)
      const prefix = somePrefix()
      await client.set(`${prefix}:text`, 'x')
      const [wrong, right] = await Promise.allSettled([
        turn.ask({ keys: [`${prefix}:text`], command: 'HGET', args: ['a'] }),
        turn.ask({ keys: [`${prefix}:text`], command: 'GET' }),
      ])
      assert.match(String(wrong.status === 'rejected' && wrong.reason), /:text" holds something that this version/)
      assert.equal(right.status === 'fulfilled' && String(right.value), 'x')
    })

    test('a script that the engine does not know is sent whole, once', async (t) => {
      const client = await connect(t)
      const script = someScript(t, `-- ${somePrefix()}\nreturn redis.call('INCR', KEYS[1])`)
      const turn = new Turn(client)
      const key = somePrefix()
      const answers = await turn.askAll([
        { keys: [key], script },
        { keys: [key], script },
      ])
      assert.deepEqual(answers, [1, 2])
      assert.equal(turn.trips, 2)
      assert.equal(await turn.ask({ keys: [key], script }), 3)
      assert.equal(turn.trips, 3)
      assert.equal(await script.run(client, [key]), 4)
    })
  })

function someScript(t: TestContext, source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'x.lua'), source)
  return redisScript(pathToFileURL(join(folder, 'x.lua')))
}
