import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Courier } from './courier.ts'
import { Script } from './script.ts'
import { somePrefix, testRedises } from './test-redis.ts'

for (const { name, skip, connect } of testRedises)
  describe(`${name}: courier`, { skip }, () => {
    test('what is asked in one turn travels together, one trip to each node', async (t) => {
      const courier = new Courier({ client: await connect(t) })
      const prefix = somePrefix()
      const keys = Array.from({ length: 100 }, (_, i) => `${prefix}:${i}`)
      await Promise.all(keys.map((key) => courier.ask({ keys: [key], command: 'SET', args: [key] })))
      const answers = await Promise.all(keys.map((key) => courier.ask({ keys: [key], command: 'GET' })))
      assert.deepEqual(answers.map(String), keys)
      assert.equal(courier.trips, name === 'redis' ? 2 : 6)
    })

    test('one that fails takes nothing away from the others', async (t) => {
      const client = await connect(t)
      const courier = new Courier({ client })
      const prefix = somePrefix()
      await client.set(`${prefix}:text`, 'x')
      const [wrong, right] = await Promise.allSettled([
        courier.ask({ keys: [`${prefix}:text`], command: 'HGET', args: ['a'] }),
        courier.ask({ keys: [`${prefix}:text`], command: 'GET' }),
      ])
      assert.match(String(wrong.status === 'rejected' && wrong.reason), /:text" holds something that this version/)
      assert.equal(right.status === 'fulfilled' && String(right.value), 'x')
    })

    test('a script is sent whole once, and by its digest after that', async (t) => {
      const client = await connect(t)
      const script = new Script(`-- ${somePrefix()}\nreturn redis.call('INCR', KEYS[1])`)
      const courier = new Courier({ client })
      const key = somePrefix()
      const answers = await courier.askAll([
        { keys: [key], script },
        { keys: [key], script },
      ])
      assert.deepEqual(answers, [1, 2])
      assert.equal(await courier.ask({ keys: [key], script }), 3)
      assert.equal(courier.trips, 2)
      assert.equal(await script.run(client, [key]), 4)
    })

    test('calls of a script that takes several go as one, where one may name the keys of all', async (t) => {
      const courier = new Courier({ client: await connect(t) })
      const [prefix, other] = [somePrefix(), somePrefix()]
      const source = `-- ${prefix}
        local run, answers = redis.call('INCR', '{${other}}') % 100, {}
        for i, key in ipairs(KEYS) do answers[i] = { run, ARGV[2 * i] } end
        return answers`
      const script = new Script(source, 4)
      const calls = Array.from({ length: 10 }, (_, n) => ({ keys: [`{${other}}:${n}`], script, args: [`${n}`] }))
      const answers = (await courier.askAll(calls)) as [number, string][]
      assert.deepEqual(
        answers.map(([, argument]) => argument),
        calls.map(({ args: [argument] }) => argument),
      )
      assert.equal(new Set(answers.map(([run]) => run)).size, courier.mayJoinKeys ? 3 : 10)
    })

    test('calls of a script that takes several are sorted by their keys, which are named once', async (t) => {
      const courier = new Courier({ client: await connect(t) })
      const other = somePrefix()
      const source = `-- ${other}
        local answers, at = {}, 1
        while ARGV[at] do
          answers[#answers + 1] = { #KEYS, ARGV[at], ARGV[at + 1] }
          at = at + 1 + math.abs(tonumber(ARGV[at]))
        end
        return answers`
      const script = new Script(source, 4)
      const key = (n: number) => `{${other}}:${n % 2}`
      const answers = await courier.askAll([0, 1, 2, 3, 4].map((n) => ({ keys: [key(n)], script, args: [`${n}`] })))
      const alone = (n: number) => [1, '1', `${n}`]
      assert.deepEqual(
        answers,
        name === 'redis'
          ? [[2, '1', '0'], [2, '1', '1'], [2, '-1', '2'], alone(3), [2, '-1', '4']]
          : [0, 1, 2, 3, 4].map(alone),
      )
    })

    test('of calls that go as one, one that fails takes nothing away from the others', async (t) => {
      const client = await connect(t)
      const courier = new Courier({ client })
      const prefix = somePrefix()
      const keys = ['a', 'b', 'c'].map((name) => `{${prefix}}:${name}`)
      await client.rpush(keys[1]!, 'a list')
      const script = new Script(
        `-- ${prefix}
        local answers = {}
        for i, key in ipairs(KEYS) do answers[i] = redis.call('GET', key) or 'nothing' end
        return answers`,
        10,
      )
      const answers = await Promise.allSettled(keys.map((key) => courier.ask({ keys: [key], script })))
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    })

    test('strings are answered as text, or as bytes', async (t) => {
      const courier = new Courier({ client: await connect(t) })
      const key = somePrefix()
      await courier.ask({ keys: [key], command: 'SET', args: [Buffer.from([0xff, 0])] })
      assert.deepEqual(await courier.ask({ keys: [key], command: 'GET' }, 'bytes'), Buffer.from([0xff, 0]))
      assert.equal(typeof (await courier.ask({ keys: [key], command: 'GET' })), 'string')
      assert.deepEqual(await courier.askAll([]), [])
    })

    test('of one who asks for much, what is asked for between two trips goes with the second', async (t) => {
      const courier = new Courier({ client: await connect(t), gatherMs: 150 })
      const increment = { keys: [somePrefix()], command: 'INCR' }
      await courier.askAll(Array.from({ length: 50 }, () => increment))
      const answers: Promise<unknown>[] = []
      for (let n = 0; n < 5; n++) {
        answers.push(courier.ask(increment))
        await nextTurn()
      }
      assert.deepEqual(await Promise.all(answers), [51, 52, 53, 54, 55])
      assert.equal(courier.trips, 2)
    })

    test('one who asks for little is not made to wait', async (t) => {
      const courier = new Courier({ client: await connect(t), gatherMs: 3_600_000 })
      const increment = { keys: [somePrefix()], command: 'INCR' }
      for (let n = 1; n <= 10; n++) assert.equal(await courier.ask(increment), n)
      assert.equal(courier.trips, 10)
    })

    test('what may wait leaves with the next that may not', async (t) => {
      const courier = new Courier({ client: await connect(t), companyMs: 3_600_000 })
      const increment = { keys: [somePrefix()], command: 'INCR' }
      const waiting = courier.ask({ ...increment, mayWait: true })
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      assert.equal(courier.trips, 0)
      assert.deepEqual(await Promise.all([waiting, courier.ask(increment)]), [1, 2])
      assert.equal(courier.trips, 1)
    })

    test('what may wait, and waits alone, leaves by itself', async (t) => {
      const courier = new Courier({ client: await connect(t), companyMs: 3_600_000 })
      const increment = { keys: [somePrefix()], command: 'INCR', mayWait: true }
      for (let n = 1; n <= 10; n++) assert.equal(await courier.ask(increment), n)
      assert.equal(courier.trips, 10)
    })

    test('what may wait long is taken along by what may wait a little', async (t) => {
      const courier = new Courier({ client: await connect(t), companyMs: 3_600_000 })
      const increment = { keys: [somePrefix()], command: 'INCR' }
      const waiting = courier.ask({ ...increment, mayWait: 'long' })
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      assert.deepEqual(await Promise.all([waiting, courier.ask({ ...increment, mayWait: true })]), [1, 2])
      assert.equal(courier.trips, 1)
    })

    test('many that may wait need not wait for more', async (t) => {
      const courier = new Courier({ client: await connect(t), companyMs: 3_600_000 })
      const increment = { keys: [somePrefix()], command: 'INCR', mayWait: true }
      await courier.askAll(Array.from({ length: 64 }, () => increment))
      assert.equal(courier.trips, 1)
    })
  })

test('who asks over a connection that was closed is refused, and does not wait', {
  skip: testRedises[0]!.skip,
}, async (t) => {
  const client = await testRedises[0]!.connect(t)
  const courier = new Courier({ client })
  client.disconnect()
  while (!courier.isClosed) await nextTurn()
  await assert.rejects(courier.ask({ keys: ['x'], command: 'GET' }), /closed/)
})
