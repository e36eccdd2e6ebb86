import { gunzipSync, gzipSync } from 'node:zlib'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { expecting, patiently, strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { type RegistryKeys, registryKeys } from './keys.ts'

/** What a crawl was asked to do. */
export interface CrawlOrders {
  readonly seeds: readonly string[]
  /** As the configuration's schema reads it. */
  readonly config: unknown
  readonly createdAt: number
}

const states = ['running', 'paused', 'stopping', 'finished', 'stopped', 'failed'] as const
const finalStates: readonly CrawlState[] = ['finished', 'stopped', 'failed']

export type CrawlState = (typeof states)[number]

export interface CrawlEntry {
  readonly id: string
  readonly state: CrawlState
  /** Why it is in this state, for people. */
  readonly detail: string
  readonly seedCount: number
  readonly createdAt: number
  /** Engine's clock. */
  readonly changedAt: number
  /** Rises each time its settings are amended. */
  readonly revision: number
}

export interface StateCondition {
  /** Only from one of these states. */
  readonly from?: readonly CrawlState[]
  /** Only while the leader of this term leads. */
  readonly term?: number
  /** Only as long as nobody has begun it anew or amended it: as `orderIn` names it. */
  readonly order?: string
}

/** Another each time that a crawl is to run, or to run by other settings. */
export const orderIn = ({ changedAt, revision }: CrawlEntry): string => `${changedAt}.${revision}`

/** `refused`: it is in another state than expected, or works by another order. `deposed`: another leads by now. */
export type StateChange = 'changed' | 'unchanged' | 'unknown' | 'refused' | 'deposed'

/** The crawls of a fleet: their orders, of which only settings can be amended, and their state. */
export interface CrawlRegistry {
  /** Enters a crawl as running; safe to repeat. An id that another crawl has is a `UsageError`. */
  create(id: string, orders: CrawlOrders): Promise<void>
  get(id: string): Promise<(CrawlEntry & { readonly orders: CrawlOrders }) | undefined>
  /** The newest first, at most `limit`. */
  list(limit?: number): Promise<CrawlEntry[]>
  /** Those that are running, paused or stopping, the oldest first. */
  active(): Promise<CrawlEntry[]>
  /** Atomic; a second call with the same state and detail is `unchanged`. */
  setState(id: string, state: CrawlState, detail?: string, condition?: StateCondition): Promise<StateChange>
  /** Other settings from now on; who works on it begins anew with them. A crawl that is not there is left so. */
  amend(id: string, config: unknown): Promise<void>
  /** Takes it off the list. What it brought stays where it is. */
  remove(id: string): Promise<void>
  /** Another number whenever a crawl was entered or changed its state. */
  version(): Promise<number>
  /** The active crawls now, and again after every change, until `signal` aborts. Waits while the engine is away. */
  watch(signal: AbortSignal, everyMs?: number): AsyncGenerator<readonly CrawlEntry[]>
}

const createCrawl = scriptOf(new URL('./create-crawl.lua', import.meta.url))
const amendCrawl = scriptOf(new URL('./amend-crawl.lua', import.meta.url))
const setCrawlState = scriptOf(new URL('./set-crawl-state.lua', import.meta.url))

const PAGE = 100
const MAX_ORDERS_BYTES = 32 * 1024 * 1024

/** `courier`: shared by all who use this client. */
export function crawlRegistry(
  client: RedisClient,
  prefix: string,
  clock: Clock,
  courier = new Courier({ client }),
): CrawlRegistry {
  return new RedisCrawlRegistry(client, registryKeys(prefix), clock, courier)
}

class RedisCrawlRegistry implements CrawlRegistry {
  readonly #client: RedisClient
  readonly #keys: RegistryKeys
  readonly #clock: Clock
  readonly #courier: Courier

  constructor(client: RedisClient, keys: RegistryKeys, clock: Clock, courier: Courier) {
    this.#client = client
    this.#keys = keys
    this.#clock = clock
    this.#courier = courier
  }

  async create(id: string, orders: CrawlOrders): Promise<void> {
    const { crawls, activeCrawls, crawlsVersion } = this.#keys
    const key = this.#keys.crawl(id)
    const packed = packedOrders(orders)
    const answer = await this.#asked(key, () =>
      createCrawl.run(
        this.#client,
        [key, crawls, activeCrawls, crawlsVersion],
        [id, packed, orders.seeds.length, orders.createdAt],
      ),
    )
    if (answer === 'other')
      throw new UsageError(`A crawl "${id}" exists already in this fleet: choose another id, or follow that one.`)
  }

  async get(id: string) {
    const key = this.#keys.crawl(id)
    const [orders, settings] = await this.#asked(key, () => this.#client.hmgetBuffer(key, 'orders', 'settings'))
    const [entry] = await this.#entries([id])
    if (!orders || !entry) return undefined
    return { ...entry, orders: unpackedOrders(key, orders, settings ?? null) }
  }

  async list(limit = 1000): Promise<CrawlEntry[]> {
    return this.#pages(this.#keys.crawls, limit, (from, to) => this.#client.zrevrange(this.#keys.crawls, from, to))
  }

  async active(): Promise<CrawlEntry[]> {
    const { activeCrawls } = this.#keys
    return this.#pages(activeCrawls, 10_000, (from, to) => this.#client.zrange(activeCrawls, from, to))
  }

  async setState(id: string, state: CrawlState, detail = '', { from = [], term, order }: StateCondition = {}) {
    const { activeCrawls, crawlsVersion, leaderTerm } = this.#keys
    const key = this.#keys.crawl(id)
    const final = finalStates.includes(state) ? 1 : 0
    const answer = await this.#asked(key, () =>
      setCrawlState.run(
        this.#client,
        [key, activeCrawls, crawlsVersion, leaderTerm],
        [id, state, detail, final, term ?? '', order ?? '', ...from],
      ),
    )
    return answer as StateChange
  }

  async amend(id: string, config: unknown): Promise<void> {
    const key = this.#keys.crawl(id)
    const { crawlsVersion } = this.#keys
    await this.#asked(key, () => amendCrawl.run(this.#client, [key, crawlsVersion], [JSON.stringify(config)]))
  }

  async remove(id: string): Promise<void> {
    const { crawls, activeCrawls, crawlFacts } = this.#keys
    const key = this.#keys.crawl(id)
    await this.#asked(key, async () => {
      await this.#client.zrem(crawls, id)
      await this.#client.zrem(activeCrawls, id)
      await this.#client.unlink(key, crawlFacts(id))
    })
  }

  async version(): Promise<number> {
    const { crawlsVersion } = this.#keys
    const order = { keys: [crawlsVersion], command: 'GET', mayWait: 'long' } as const
    return Number(await this.#asked(crawlsVersion, () => this.#courier.ask(order)))
  }

  async *watch(signal: AbortSignal, everyMs = 1000): AsyncGenerator<readonly CrawlEntry[]> {
    let seen = Number.NaN
    while (!signal.aborted) {
      const version = await this.version()
      if (version !== seen) yield await this.active()
      seen = version
      await this.#clock.sleep(everyMs, signal)
    }
  }

  async #pages(key: string, limit: number, read: (from: number, to: string) => Promise<string[]>) {
    const entries: CrawlEntry[] = []
    for (let from = 0; from < limit; from += PAGE) {
      const ids = await this.#asked(key, () => read(from, String(Math.min(from + PAGE, limit) - 1)))
      entries.push(...(await this.#entries(ids)))
      if (ids.length < PAGE) break
    }
    return entries
  }

  async #entries(ids: readonly string[]): Promise<CrawlEntry[]> {
    const entries = ids.map(async (id) => {
      const key = this.#keys.crawl(id)
      const fields = await this.#asked(key, () =>
        this.#client.hmget(key, 'format', 'state', 'detail', 'seeds', 'created_at', 'changed_at', 'revision'),
      )
      return entryOf(id, key, fields)
    })
    return (await Promise.all(entries)).filter((entry) => entry !== undefined)
  }

  #asked<T>(key: string, ask: () => Promise<T>): Promise<T> {
    return patiently(this.#client, this.#clock, () => expecting(key, ask()))
  }
}

function entryOf(id: string, key: string, fields: readonly (string | null)[]): CrawlEntry | undefined {
  const [format, state, detail, seeds, createdAt, changedAt, revision] = fields
  if (fields.every((field) => field === null)) return undefined
  const known = states.find((one) => one === state)
  if (format !== '1' || known === undefined) throw strangeValue(key)
  return {
    id,
    state: known,
    detail: detail ?? '',
    seedCount: Number(seeds),
    createdAt: Number(createdAt),
    changedAt: Number(changedAt),
    revision: Number(revision ?? 0),
  }
}

/** Many seeds are much text; their order of fields is kept, so that equal orders are equal bytes. */
function packedOrders({ seeds, config, createdAt }: CrawlOrders): Buffer {
  const packed = gzipSync(JSON.stringify({ seeds, config, createdAt }))
  if (packed.length <= MAX_ORDERS_BYTES) return packed
  throw new UsageError(
    `${seeds.length} seeds are too many for the orders of one crawl: give a sitemap, or offer them in several crawls.`,
  )
}

function unpackedOrders(key: string, packed: Buffer, settings: Buffer | null): CrawlOrders {
  try {
    const orders = JSON.parse(gunzipSync(packed).toString()) as CrawlOrders
    return settings === null ? orders : { ...orders, config: JSON.parse(settings.toString()) }
  } catch (error) {
    throw strangeValue(key, error)
  }
}
