import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { expecting, patiently } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { registryKeys } from './keys.ts'

/** Small named values that belong to a crawl as a whole, and short lists, known to all who work on it. */
export interface CrawlFacts {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string | number): Promise<void>
  /** Adds a value at the end of a list, once: a second time changes nothing. Answers whether it was new. */
  append(list: string, value: string): Promise<boolean>
  /** What a list holds from its `from`th value on, in order: so a reader asks only for what is new to it. */
  list(name: string, from?: number): Promise<string[]>
}

const append = scriptOf(new URL('./append-fact.lua', import.meta.url))

/** Lists are for what a person could read. Beyond that something is wrong, and the crawl should not go on in silence. */
export const MAX_LIST = 10_000
const PAGE = 1000

/** `courier`: shared by all who use this client. */
export function crawlFacts(
  client: RedisClient,
  prefix: string,
  crawl: string,
  clock: Clock,
  courier = new Courier({ client }),
): CrawlFacts {
  const keys = registryKeys(prefix)
  const key = keys.crawlFacts(crawl)

  function asked<T>(from: string, ask: () => Promise<T>): Promise<T> {
    return patiently(client, clock, () => expecting(from, ask()))
  }

  return {
    async get(name) {
      return (await asked(key, () => client.hget(key, name))) ?? undefined
    },
    async set(name, value) {
      await asked(key, () => client.hset(key, name, value))
    },
    async append(name, value) {
      const list = keys.crawlList(crawl, name)
      const answer = await asked(list, () => append.run(client, [list], [value, MAX_LIST]))
      if (answer === 'full')
        throw new UsageError(`The list "${name}" of crawl "${crawl}" is full: it holds ${MAX_LIST} values.`)
      return answer === 'added'
    },
    async list(name, from = 0) {
      const list = keys.crawlList(crawl, name)
      const values: string[] = []
      for (let at = from; ; at += PAGE) {
        const order = { keys: [list], command: 'ZRANGE', args: [at, at + PAGE - 1], mayWait: 'long' } as const
        const page = (await asked(list, () => courier.ask(order))) as string[]
        values.push(...page)
        if (page.length < PAGE) return values
      }
    },
  }
}
