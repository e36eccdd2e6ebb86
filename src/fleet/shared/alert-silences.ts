import { expecting, patiently } from '../../engines/redis/patience.ts'
import type { Silences } from '../../monitor/alert-board.ts'
import type { Fleet } from '../fleet.ts'
import { registryKeys } from '../registry/keys.ts'

/** Silences that all servers of a fleet share: who leads may change at any moment. */
export function sharedSilences({ redis, clock, engines }: Pick<Fleet, 'redis' | 'clock' | 'engines'>): Silences {
  const { alerts } = registryKeys(engines.redis.prefix)
  const ask = <T>(question: () => Promise<T>) => patiently(redis, clock, () => expecting(alerts, question()))
  return {
    async all() {
      const fields = await ask(() => redis.hgetall(alerts))
      return new Map(Object.entries(fields).map(([rule, until]) => [rule, Number(until)]))
    },
    async set(rule, until) {
      if (until > 0) await ask(() => redis.hset(alerts, rule, until))
      else await ask(() => redis.hdel(alerts, rule))
    },
  }
}
