import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { engineFor } from '../../../test/engines.ts'
import { redisConfig } from './config.ts'
import { connectRedis, type RedisClient } from './connect.ts'

/** An engine that tests share, one server or a Cluster; `connect` disconnects with the test. */
export interface TestRedis {
  readonly name: string
  readonly skip: string | false
  connect(test: TestContext): Promise<RedisClient>
}

export const testRedises: readonly TestRedis[] = [
  testRedis('redis', engineFor('redis'), (url) => ({ url })),
  testRedis('redis cluster', engineFor('redis-cluster'), (url) => ({ cluster: url.split(',') })),
]

/** A server that the test has started itself. */
export async function connectTo(test: TestContext, url: string): Promise<RedisClient> {
  const client = await connectRedis(redisConfig.parse({ url }))
  test.after(() => client.disconnect())
  return client
}

/** Tests share an engine, so each has a prefix of its own. */
export function somePrefix(): string {
  return `test-${randomUUID().slice(0, 13)}`
}

function testRedis(name: string, { url, skip }: ReturnType<typeof engineFor>, settings: (url: string) => object) {
  return {
    name,
    skip: skip ?? (false as const),
    async connect(test: TestContext) {
      const client = await connectRedis(redisConfig.parse(settings(url!)))
      test.after(() => client.disconnect())
      return client
    },
  }
}
