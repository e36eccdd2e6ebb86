import type { Clock } from '../../../clock.ts'
import type { RedisConfig } from '../../../engines/redis/config.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import type { NameHints } from '../../name-hints.ts'

/**
 * DNS answers that the workers of a fleet share, over a connection of this thread's own. No name waits for it: until it
 * is there, and when it cannot be had, names are asked for as if nobody shared anything.
 */
export function sharedNames(config: RedisConfig, clock: Clock): NameHints & Disposable {
  const closed = new AbortController()
  let client: RedisClient | undefined
  let hints: NameHints | undefined

  async function open(): Promise<void> {
    const { connectRedis } = await import('../../../engines/redis/connect.ts')
    const { redisNameHints } = await import('./redis-name-hints.ts')
    client = await connectRedis(config)
    if (closed.signal.aborted) client.disconnect()
    else hints = redisNameHints({ client, prefix: config.prefix, clock, trouble: withoutHints })
  }

  /** Whoever stores says what is wrong with the engine; a thread that only reads does without. */
  function withoutHints(): void {
    hints = undefined
    client?.disconnect()
  }

  open().catch(withoutHints)
  return {
    get: async (name) => hints?.get(name),
    put: (name, resolution) => hints?.put(name, resolution),
    [Symbol.dispose]() {
      closed.abort()
      withoutHints()
    },
  }
}
