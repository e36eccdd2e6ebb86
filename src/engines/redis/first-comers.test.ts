import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ownEngine, type RunningEngine, startRedis } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { Courier } from './courier.ts'
import { FirstComers } from './first-comers.ts'
import { Script } from './script.ts'
import { connectTo } from './test-redis.ts'

const clock = systemClock()
const holdMs = 1000
const claim = new Script(
  "if redis.call('SETNX', KEYS[1], ARGV[1]) == 1 then return 0 end return redis.call('GET', KEYS[1])",
)
const noise = new Script("return redis.call('INCR', KEYS[1])")

describe('who came first, when the engine forgets', () => {
  test('a copy that asks a new engine before the first worker has noticed is told who came first', async (t) => {
    await using redis = await ownEngine(t, () => startRedis())
    if (!redis) return
    const [first, second, third] = [await worker(t, redis), await worker(t, redis), await worker(t, redis)]
    assert.deepEqual(await first.claims.decide([{ place: 'x', name: 'A' }]), [0])
    assert.deepEqual(await second.claims.decide([{ place: 'y', name: 'B' }]), [0])
    assert.deepEqual(await third.claims.decide([{ place: 'z', name: 'C' }]), [0])
    await loseEverything(redis)
    // The third reminds it, and by that has brought scripts there, before the second asks.
    await third.breathe()
    const asked = second.claims.decide([
      { place: 'x', name: 'late' },
      { place: 'new', name: 'D' },
    ])
    await clock.sleep(holdMs / 4)
    await first.breathe()
    assert.deepEqual(await asked, ['A', 0])
    assert.deepEqual(
      await first.claims.decide([
        { place: 'y', name: 'late' },
        { place: 'z', name: 'late' },
      ]),
      ['B', 'C'],
    )
  })

  test('it is reminded again when it forgets again', async (t) => {
    await using redis = await ownEngine(t, () => startRedis())
    if (!redis) return
    const [first, second] = [await worker(t, redis), await worker(t, redis)]
    await first.claims.decide([{ place: 'x', name: 'A' }])
    await second.breathe()
    for (let times = 0; times < 2; times++) {
      await loseEverything(redis)
      await first.breathe()
    }
    assert.deepEqual(await second.claims.decide([{ place: 'x', name: 'late' }]), ['A'])
  })

  test('what was decided long ago is not told again, since no engine forgets that', async (t) => {
    await using redis = await ownEngine(t, () => startRedis())
    if (!redis) return
    let now = 0
    const { claims, asked } = await worker(t, redis, { ...clock, now: () => now })
    for (let n = 0; n < 30; n++) {
      now += 1000
      await claims.decide([{ place: `${n}`, name: 'A' }])
    }
    await loseEverything(redis)
    asked.splice(0)
    await claims.decide([{ place: 'new', name: 'A' }])
    const reminders = asked.filter((places) => !places.includes('new')).flat()
    assert.ok(reminders.includes('29') && reminders.includes('21') && !reminders.includes('5'), reminders.join(' '))
  })

  test('one that is closed reminds nobody any more', async (t) => {
    await using redis = await ownEngine(t, () => startRedis())
    if (!redis) return
    const { claims, asked, breathe } = await worker(t, redis)
    await claims.decide([{ place: 'x', name: 'A' }])
    claims[Symbol.dispose]()
    asked.splice(0)
    await loseEverything(redis)
    await breathe()
    await breathe()
    assert.deepEqual(asked, [])
  })
})

interface Claim {
  readonly place: string
  readonly name: string
}

async function worker(t: TestContext, redis: RunningEngine, time = clock) {
  const courier = new Courier({ client: await connectTo(t, redis.url) })
  const asked: string[][] = []
  const claims = new FirstComers<Claim, 0 | string>({
    ...{ courier, clock: time, script: claim, holdMs },
    async ask(items, decide) {
      asked.push(items.map(({ place }) => place))
      const answers = items.map(({ place, name }) => decide({ keys: [place], args: [name] }))
      return (await Promise.all(answers)) as (0 | string)[]
    },
    isFirst: (answer, { name }) => answer === 0 || answer === name,
  })
  await breathe(courier)
  return { claims, asked, breathe: () => breathe(courier) }
}

/** What a worker asks anyway, each second. */
const breathe = (courier: Courier) => courier.ask({ script: noise, keys: ['noise'] })

async function loseEverything(redis: RunningEngine): Promise<void> {
  await redis.kill()
  await redis.restart()
}
