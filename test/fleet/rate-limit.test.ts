import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { engineFor } from '../engines.ts'
import type { SimulatedRun, SimulatedWorld } from './simulated-fleet.ts'
import type { SimulationOrder } from './simulation-thread.ts'

const engine = engineFor('redis')
const options = { skip: engine.skip ?? false }
const minutes = 10
const allowance = minutes * 60 * 10

async function run(world: Omit<SimulatedWorld, 'client' | 'workers' | 'virtualMs'>): Promise<SimulatedRun> {
  const order: SimulationOrder = {
    url: engine.url!,
    world: { ...world, workers: 500, virtualMs: minutes * 60_000 },
  }
  const thread = new Worker(new URL('./simulation-thread.ts', import.meta.url), { workerData: order })
  const [result] = (await once(thread, 'message')) as [SimulatedRun]
  await thread.terminate()
  return result
}

function mostInASecond(touches: readonly number[]): number {
  let [most, first] = [0, 0]
  for (const [last, at] of touches.entries()) {
    while (touches[first]! <= at - 1000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

describe('a host that allows ten requests a second', { ...options, concurrency: true }, () => {
  test('500 workers never touch a host more than ten times in a second, and use what it allows', async (t) => {
    const { touches, handovers } = await run({ leaseMs: 60_000, kills: 0, holderKills: 0, seed: 1 })
    t.diagnostic(`${touches.length} of ${allowance} touches, ${handovers} leases`)
    assert.equal(mostInASecond(touches), 10)
    assert.ok(touches.length >= 0.95 * allowance, `${touches.length} of ${allowance}`)
  })

  test('so it is while a third of them are killed, holders among them', async (t) => {
    const { touches, holdersKilled, handovers } = await run({ leaseMs: 8000, kills: 166, holderKills: 5, seed: 2 })
    t.diagnostic(`${touches.length} of ${allowance} touches, ${handovers} leases, ${holdersKilled} holders killed`)
    assert.ok(holdersKilled >= 4)
    assert.ok(mostInASecond(touches) <= 10)
    assert.ok(touches.length >= 0.9 * allowance, `${touches.length} of ${allowance}`)
  })
})
