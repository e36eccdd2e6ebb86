import { engineFor } from '../../../../test/engines.ts'
import { type LedgerUnderTest, ledgerConformance } from '../../ledger.conformance.ts'
import { RedisFrontier } from './redis-frontier.ts'
import { redisLedger } from './redis-ledger.ts'
import { connectForTest, testFleet } from './test-redis-frontier.ts'

const single = engineFor('redis')
const cluster = engineFor('redis-cluster')

ledgerConformance('redis', () => openUnderTest(single.url!), { skip: single.skip })
ledgerConformance('redis cluster', () => openUnderTest(cluster.url!), { skip: cluster.skip })

async function openUnderTest(place: string): Promise<LedgerUnderTest> {
  const client = await connectForTest(place)
  const { options } = await testFleet(client, 4)
  return {
    openFrontier: async () => new RedisFrontier(options),
    openLedger: async () => redisLedger(options),
    [Symbol.asyncDispose]: async () => client.disconnect(),
  }
}
