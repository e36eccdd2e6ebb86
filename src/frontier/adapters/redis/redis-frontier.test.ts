import { engineFor, startRedis } from '../../../../test/engines.ts'
import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const single = engineFor('redis')
const cluster = engineFor('redis-cluster')
const crash = { open: openOwnEngine, forgets: false, restMs: 61_000 }

frontierConformance('redis', () => openUnderTest(single.url!, 1), { skip: single.skip, crash })
frontierConformance('redis in shards', () => openUnderTest(single.url!, 8), {
  skip: single.skip,
  parts: 8,
  crash: null,
})
frontierConformance('redis cluster', () => openUnderTest(cluster.url!, 8), {
  skip: cluster.skip,
  parts: 8,
  crash: null,
})

async function openUnderTest(place: string, shards: number, restart?: () => Promise<void>): Promise<FrontierUnderTest> {
  const client = await connectForTest(place)
  const { options, time } = await testFleet(client, shards)
  let frontier = new RedisFrontier(options)
  return {
    get frontier() {
      return frontier
    },
    advance(ms) {
      time.now += ms
    },
    async reopen() {
      await frontier[Symbol.asyncDispose]()
      frontier = new RedisFrontier(options)
    },
    async crash() {
      await restart?.()
      frontier = new RedisFrontier(options)
      // The first who asks a new engine finds that it is one.
      await frontier.lease(1, 1)
    },
    async [Symbol.asyncDispose]() {
      await frontier[Symbol.asyncDispose]()
      client.disconnect()
    },
  }
}

async function openOwnEngine(): Promise<FrontierUnderTest> {
  const engine = await startRedis({ appendOnly: true })
  const under = await openUnderTest(engine.url, 1, async () => {
    await engine.kill()
    await engine.restart()
  })
  return {
    get frontier() {
      return under.frontier
    },
    advance: (ms) => under.advance(ms),
    reopen: () => under.reopen(),
    crash: () => under.crash(),
    async [Symbol.asyncDispose]() {
      await under[Symbol.asyncDispose]()
      await engine.stop()
    },
  }
}
