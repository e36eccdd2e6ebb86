import type { Clock } from '../../clock.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { expecting, patiently, strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { checkedId } from '../registry/keys.ts'

/** Pages of the crawl that are settled: the truth, as the frontier's sums tell it. */
export type SettledPages = () => Promise<number>

export interface GrantReport {
  readonly worker: string
  /** Another each time that it begins anew. */
  readonly token: string
  readonly begins: boolean
  /** Grants in hand and those of visits under way. */
  readonly held: number
  /** Grants that became settled pages, since the worker began. */
  readonly turned: number
  readonly wanted: number
  readonly leaves: boolean
}

export type GrantAnswer =
  | { readonly kind: 'granted'; readonly granted: number; readonly left: number; readonly heldByAll: number }
  /** The settled pages must be counted first. */
  | { readonly kind: 'uncounted' }
  /** The worker was taken for dead, or a fail-over has forgotten it. */
  | { readonly kind: 'unknown' }

/**
 * Rights to bring one page each, of which a crawl has `maxPages`. What workers hold and what is settled is never more
 * than that together, as long as a worker reports a page after it was settled, and is called dead only when it can settle
 * nothing any more. When the engine loses writes, as many pages too many may come as were granted in the lost moment.
 */
export interface PageGrants {
  report(report: GrantReport): Promise<GrantAnswer>
  /** Sets the count of settled pages right. Answers them. */
  count(): Promise<number>
  /**
   * Takes back what workers hold that are not in `maySettle`: those which live, and those silent for a shorter time than
   * leases last.
   */
  reclaim(maySettle: ReadonlySet<string>): Promise<void>
}

const reportGrants = scriptOf(new URL('./report-grants.lua', import.meta.url))
const countGrants = scriptOf(new URL('./count-grants.lua', import.meta.url))

const DEAD_IN_A_CALL = 500
/** Until it tries again when the count of another came between. */
const BETWEEN_COUNTS_MS = 5

export interface PageGrantsOptions {
  readonly client: RedisClient
  readonly prefix: string
  readonly crawl: string
  readonly maxPages: number
  readonly settledPages: SettledPages
  readonly clock: Clock
}

export function pageGrants({ client, prefix, crawl, maxPages, settledPages, clock }: PageGrantsOptions): PageGrants {
  const key = `${prefix}:{${prefix}:crawl:${checkedId(crawl)}}:grants`

  function asked<T>(ask: () => Promise<T>): Promise<T> {
    return patiently(client, clock, () => expecting(key, ask()))
  }

  async function countWithout(dead: readonly string[]): Promise<{ settled: number; tookEffect: boolean }> {
    const [epoch, done] = await asked(() => client.hmget(key, 'epoch', 'done'))
    const settled = await settledPages()
    const answer = await asked(() => countGrants.run(client, [key], [epoch ?? '', done ?? '', settled, ...dead]))
    return { settled, tookEffect: answer === 1 }
  }

  async function unlisted(maySettle: ReadonlySet<string>): Promise<string[]> {
    const dead = new Set<string>()
    let cursor = '0'
    do {
      const [next, fields] = await asked(() => client.hscan(key, cursor, 'MATCH', 'w:*', 'COUNT', 200))
      for (let i = 0; i < fields.length; i += 2) {
        const worker = fields[i]!.slice(2)
        if (!maySettle.has(worker)) dead.add(worker)
      }
      cursor = next
    } while (cursor !== '0')
    return [...dead]
  }

  return {
    async report({ worker, token, begins, held, turned, wanted, leaves }) {
      const args = [worker, token, begins ? 1 : 0, held, turned, wanted, maxPages, leaves ? 1 : 0]
      const answer = await asked(() => reportGrants.run(client, [key], args))
      return answerOf(key, answer)
    },
    async count() {
      return (await countWithout([])).settled
    },
    async reclaim(maySettle) {
      const dead = await unlisted(maySettle)
      for (let at = 0; at < dead.length; at += DEAD_IN_A_CALL)
        while (!(await countWithout(dead.slice(at, at + DEAD_IN_A_CALL))).tookEffect)
          await clock.sleep(BETWEEN_COUNTS_MS)
    },
  }
}

function answerOf(key: string, answer: unknown): GrantAnswer {
  const [kind, granted, left, heldByAll] = answer as [string, number, number, number]
  if (kind === 'uncounted' || kind === 'unknown') return { kind }
  if (kind === 'granted') return { kind, granted, left, heldByAll }
  throw strangeValue(key)
}
