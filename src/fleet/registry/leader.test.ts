import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownEngine, startRedis } from '../../../test/engines.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { connectTo, somePrefix, testRedises } from '../../engines/redis/test-redis.ts'
import { registryKeys } from './keys.ts'
import { type LeaderTerm, leaderLock } from './leader.ts'

const clock = systemClock()
const quick = { renewMs: 30, lifeMs: 900, marginMs: 200 }

for (const { name, skip, connect } of testRedises)
  describe(`${name}: leader lock`, { skip }, () => {
    test('one leads, and when it stops another takes over with a higher term', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const terms: { id: string; number: number }[] = []
      let leading = 0
      const candidates = ['a', 'b', 'c'].map((id) => {
        const stop = new AbortController()
        const ended = leaderLock(client, prefix, id, clock, quick).campaign(async (term) => {
          assert.equal(++leading, 1)
          assert.equal(term.leads(), true)
          terms.push({ id, number: term.number })
          await aborted(term.over)
          leading--
        }, stop.signal)
        return { id, stop, ended }
      })
      for (let round = 1; round <= 3; round++) {
        await until(() => terms.length === round)
        const { id, number } = terms.at(-1)!
        assert.deepEqual(await leaderLock(client, prefix, 'x', clock).leader(), { id, term: number })
        const candidate = candidates.find((one) => one.id === id)!
        candidate.stop.abort()
        await candidate.ended
      }
      assert.equal(new Set(terms.map(({ id }) => id)).size, 3)
      assert.deepEqual(
        terms.map(({ number }) => number),
        terms.map(({ number }) => number).toSorted((a, b) => a - b),
      )
      assert.equal(await leaderLock(client, prefix, 'x', clock).leader(), undefined)
    })

    test('a leader that is renewed leads for longer than one life', async (t) => {
      const client = await connect(t)
      const stop = new AbortController()
      let terms = 0
      const ended = leaderLock(client, somePrefix(), 'a', clock, quick).campaign(async (term) => {
        terms++
        await clock.sleep(quick.lifeMs * 1.3, term.over)
        assert.equal(term.leads(), true)
        stop.abort()
      }, stop.signal)
      await ended
      assert.equal(terms, 1)
    })

    test('a leader whose lock was taken by another learns it with its next renewal', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const stop = new AbortController()
      await leaderLock(client, prefix, 'a', clock, quick).campaign(async (term) => {
        await client.set(registryKeys(prefix).leader, `${term.number + 1} b`)
        await aborted(term.over)
        stop.abort()
      }, stop.signal)
      assert.equal((await leaderLock(client, prefix, 'x', clock).leader())?.id, 'b')
    })

    test('no term comes twice, though the engine has forgotten the last', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const numbers: number[] = []
      for (const id of ['a', 'b', 'c']) {
        const stop = new AbortController()
        await leaderLock(client, prefix, id, clock, quick).campaign(async (term) => {
          numbers.push(term.number)
          stop.abort()
        }, stop.signal)
        if (id === 'b') await client.del(registryKeys(prefix).leaderTerm)
        await clock.sleep(2)
      }
      assert.ok(numbers[0]! < numbers[1]! && numbers[1]! < numbers[2]!, numbers.join())
    })

    test('what the leader throws ends its campaign, and the lead is free', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const lock = leaderLock(client, prefix, 'a', clock, quick)
      const fails = lock.campaign(async () => {
        throw new Error('no more')
      }, new AbortController().signal)
      await assert.rejects(fails, { message: 'no more' })
      assert.equal(await lock.leader(), undefined)
    })

    test('a key of another kind or format is answered with one clear sentence', async (t) => {
      const client = await connect(t)
      const prefix = somePrefix()
      const { leader } = registryKeys(prefix)
      const lock = leaderLock(client, prefix, 'a', clock, quick)
      await client.hset(leader, 'a', 'b')
      const campaign = lock.campaign(async () => {}, new AbortController().signal)
      await assert.rejects(campaign, /holds something that this version of Orbweaver does not understand/)
      await client.del(leader)
      await client.set(leader, 'someone')
      await assert.rejects(lock.leader(), /holds something that this version of Orbweaver does not understand/)
    })
  })

test('a leader that the engine no longer answers gives up before its life ends there', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const client = await connectTo(t, engine.url)
  const stop = new AbortController()
  const prefix = somePrefix()
  const cautious = { renewMs: 30, lifeMs: 4000, marginMs: 3500 }
  await leaderLock(client, prefix, 'a', clock, cautious).campaign(async (term) => {
    process.kill(engine.pid, 'SIGSTOP')
    await aborted(term.over)
    process.kill(engine.pid, 'SIGCONT')
    assert.deepEqual(await leaderLock(client, prefix, 'b', clock).leader(), { id: 'a', term: term.number })
    stop.abort()
  }, stop.signal)
})

test('after the engine was killed and has forgotten everything there is one leader again, with a higher term', async (t) => {
  await using engine = await ownEngine(t, () => startRedis())
  if (!engine) return
  const client = await connectTo(t, engine.url)
  const prefix = somePrefix()
  const terms: LeaderTerm[] = []
  const stop = new AbortController()
  const campaigns = ['a', 'b'].map((id) =>
    leaderLock(client, prefix, id, clock, quick).campaign(async (term) => {
      terms.push(term)
      await aborted(term.over)
    }, stop.signal),
  )
  await until(() => terms.length === 1)
  await engine.kill()
  await engine.restart()
  await until(() => terms.length === 2)
  assert.equal(terms[0]!.over.aborted, true)
  assert.ok(terms[1]!.number > terms[0]!.number)
  stop.abort()
  await Promise.all(campaigns)
})

test('a process that slept sees that it leads no more before its timers tell it', {
  skip: testRedises[0]!.skip,
}, async (t) => {
  const client = await testRedises[0]!.connect(t)
  let sleptMs = 0
  const sleepy: Clock = { now: () => clock.now() + sleptMs, sleep: clock.sleep }
  const stop = new AbortController()
  await leaderLock(client, somePrefix(), 'a', sleepy, quick).campaign(async (term) => {
    assert.equal(term.leads(), true)
    sleptMs = quick.lifeMs
    assert.deepEqual([term.leads(), term.over.aborted], [false, false])
    await aborted(term.over)
    stop.abort()
  }, stop.signal)
})

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = clock.now() + 8000
  while (!holds()) {
    assert.ok(clock.now() < deadline)
    await clock.sleep(5)
  }
}
