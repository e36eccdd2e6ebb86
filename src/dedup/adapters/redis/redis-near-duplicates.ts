import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import { Gathering } from '../../../engines/redis/gathering.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { NearDuplicates } from '../../near-duplicates.ts'
import type { AdmissionTimes } from './admission.ts'
import type { Applicant, Ask, Deciding } from './applicant.ts'
import { fingerprintOf } from './fingerprint.ts'
import { OnOneServer, type OnOneServerOptions } from './on-one-server.ts'
import { OverACluster } from './over-a-cluster.ts'

export interface RedisNearDuplicatesOptions extends Partial<AdmissionTimes>, Pick<OnOneServerOptions, 'holdMs'> {
  readonly client: RedisClient
  /** Shared by all who use this client. Left out: one of its own. */
  readonly courier?: Courier
  readonly prefix: string
  readonly crawl: string
  readonly clock: Clock
}

/** A script that decides on more at once would keep others waiting. */
const pagesInACall = 100

/** Near-duplicates of a crawl, over all its workers. Pages that come at the same time travel together. */
export class RedisNearDuplicates implements NearDuplicates {
  readonly #courier: Courier
  readonly #deciding: Deciding
  readonly #pages = new Gathering<Applicant, CanonicalUrl | undefined>(pagesInACall, (pages) =>
    this.#deciding.decide(pages),
  )

  constructor(options: RedisNearDuplicatesOptions) {
    const { client, prefix, crawl, clock, staysMs = 10_000, orphanedMs = 5000, holdMs } = options
    this.#courier = options.courier ?? new Courier({ client })
    const base = `${prefix}:near:${crawl}`
    const ask: Ask = (orders) =>
      this.#courier.askAll(
        orders.map((order) => ({ mayWait: 'briefly', ...order }) as const),
        'bytes',
      )
    this.#deciding = this.#courier.mayJoinKeys
      ? new OnOneServer({ base, clock, courier: this.#courier, holdMs })
      : new OverACluster({
          ...{ base, ask, clock, times: { staysMs, orphanedMs } },
          isClosed: () => this.#courier.isClosed,
          onNewEngine: (listener) => this.#courier.onNewEngine(listener),
        })
  }

  /** Pipelines sent so far. */
  get trips(): number {
    return this.#courier.trips
  }

  async findOrAdd(url: CanonicalUrl, simhash: string): Promise<CanonicalUrl | undefined> {
    const fingerprint = fingerprintOf(simhash)
    if (!fingerprint) return undefined
    const [found] = await this.#pages.add([{ url, simhash, fingerprint }])
    return found
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#deciding[Symbol.asyncDispose]())
  }
}

export function redisNearDuplicates(options: RedisNearDuplicatesOptions): NearDuplicates {
  return new RedisNearDuplicates(options)
}
