import { parentPort, workerData } from 'node:worker_threads'
import { connectForTest } from '../../src/frontier/adapters/redis/test-redis-frontier.ts'
import { type SimulatedWorld, simulateFleet } from './simulated-fleet.ts'

/** A simulation in a thread of its own: a hundred thousand promises, which the test runner would follow one by one. */
export interface SimulationOrder {
  readonly url: string
  readonly world: Omit<SimulatedWorld, 'client'>
}

const { url, world } = workerData as SimulationOrder
const client = await connectForTest(url)
parentPort!.postMessage(await simulateFleet({ ...world, client }))
client.disconnect()
