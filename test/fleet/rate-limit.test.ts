import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectForTest } from '../../src/frontier/adapters/redis/test-redis-frontier.ts'
import { engineFor } from '../engines.ts'
import { type SimulatedWorld, simulateFleet } from './simulated-fleet.ts'

const engine = engineFor('redis')
const options = { skip: engine.skip ?? false }
const minutes = 10
const allowance = minutes * 60 * 10

async function run(world: Omit<SimulatedWorld, 'client' | 'workers' | 'virtualMs'>) {
  const client = await connectForTest(engine.url!)
  try {
    return await simulateFleet({ ...world, client, workers: 500, virtualMs: minutes * 60_000 })
  } finally {
    client.disconnect()
  }
}

function mostInASecond(touches: readonly number[]): number {
  let [most, first] = [0, 0]
  for (const [last, at] of touches.entries()) {
    while (touches[first]! <= at - 1000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

test('500 workers never touch a host more than ten times in a second, and use what it allows', options, async (t) => {
  const { touches, handovers } = await run({ leaseMs: 60_000, kills: 0, holderKills: 0, seed: 1 })
  t.diagnostic(`${touches.length} of ${allowance} touches, ${handovers} leases`)
  assert.equal(mostInASecond(touches), 10)
  assert.ok(touches.length >= 0.95 * allowance, `${touches.length} of ${allowance}`)
})

test('so it is while a third of them are killed, holders among them', options, async (t) => {
  const { touches, holdersKilled, handovers } = await run({ leaseMs: 8000, kills: 166, holderKills: 5, seed: 2 })
  t.diagnostic(`${touches.length} of ${allowance} touches, ${handovers} leases, ${holdersKilled} holders killed`)
  assert.ok(holdersKilled >= 4)
  assert.ok(mostInASecond(touches) <= 10)
  assert.ok(touches.length >= 0.9 * allowance, `${touches.length} of ${allowance}`)
})
