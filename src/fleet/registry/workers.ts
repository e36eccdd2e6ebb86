import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { expecting, patiently, strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { checkedId, type RegistryKeys, registryKeys } from './keys.ts'

const workerCard = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  region: z.string(),
  role: z.string(),
  version: z.string(),
  startedAt: z.number(),
})

/** Who a worker is. */
export type WorkerCard = Readonly<z.infer<typeof workerCard>>

/** What a worker tells of its work, by name; for people and for scaling. */
export type WorkerStats = Readonly<Record<string, number | string>>

const told = z.object({ card: workerCard, stats: z.record(z.string(), z.union([z.number(), z.string()])) })

export interface WorkerEntry extends WorkerCard {
  readonly stats: WorkerStats
  /** Since its last sign of life, by the engine's clock. */
  readonly silentMs: number
  /** Silent for no longer than a life (10 s). One that is not may still wake up and settle what it holds leases for. */
  readonly alive: boolean
}

export interface Membership extends AsyncDisposable {
  /**
   * Aborts when no more signs of life can be given: another process has taken the id while this one was silent, or the
   * engine refuses them. Its reason says which. An engine that is away is waited for.
   */
  readonly replaced: AbortSignal
  /** A sign of life right now; else there is one every 2 s. */
  beat(): Promise<void>
  /** Takes the worker off the list. */
  leave(): Promise<void>
}

/** The workers of a fleet, as far as they have given signs of life. */
export interface WorkerRegistry {
  /** Enters a worker and gives signs of life for it. A `UsageError` while another process lives under this id. */
  join(card: WorkerCard, stats: () => WorkerStats): Promise<Membership>
  /** Those seen in the last 10 minutes, the one seen most recently first. */
  list(): Promise<WorkerEntry[]>
}

const beat = scriptOf(new URL('./beat.lua', import.meta.url))
const leave = scriptOf(new URL('./leave.lua', import.meta.url))
const listWorkers = scriptOf(new URL('./list-workers.lua', import.meta.url))

const PAGE = 100

export interface WorkerTimes {
  readonly beatMs: number
  readonly lifeMs: number
  readonly keptMs: number
}

const usualTimes: WorkerTimes = { beatMs: 2000, lifeMs: 10_000, keptMs: 600_000 }

/** `courier`: shared by all who use this client. */
export function workerRegistry(
  client: RedisClient,
  prefix: string,
  clock: Clock,
  courier = new Courier({ client }),
  times = usualTimes,
): WorkerRegistry {
  const keys = registryKeys(prefix)
  return {
    async join(card, stats) {
      checkedId(card.id)
      const membership = new RedisMembership({ client, courier, keys, clock, times, card, stats })
      await membership.join()
      return membership
    },
    async list() {
      const entries: WorkerEntry[] = []
      for (let from = 0; ; from += PAGE) {
        const page = (await patiently(client, clock, () =>
          expecting(keys.workers, listWorkers.run(client, [keys.workers, keys.workerFacts], [from, from + PAGE - 1])),
        )) as (string | number)[]
        for (let i = 0; i < page.length; i += 3)
          entries.push(entryOf(keys, String(page[i + 2]), Number(page[i + 1]), times))
        if (page.length < PAGE * 3) return entries
      }
    },
  }
}

interface MembershipParts {
  readonly client: RedisClient
  readonly courier: Courier
  readonly keys: RegistryKeys
  readonly clock: Clock
  readonly times: WorkerTimes
  readonly card: WorkerCard
  readonly stats: () => WorkerStats
}

class RedisMembership implements Membership {
  readonly #parts: MembershipParts
  /** Tells processes apart that were given the same id. Of fixed length: it stands before what is told. */
  readonly #token = randomUUID()
  readonly #replaced = new AbortController()
  readonly #left = new AbortController()
  #beating: Promise<void> | undefined

  constructor(parts: MembershipParts) {
    this.#parts = parts
  }

  get replaced(): AbortSignal {
    return this.#replaced.signal
  }

  async join(): Promise<void> {
    if ((await this.#tell(true)) === 'taken')
      throw new UsageError(`A worker "${this.#parts.card.id}" runs already in this fleet: give this one another id.`)
    this.#beating = this.#keepBeating().catch((error) => this.#replaced.abort(error))
  }

  async beat(): Promise<void> {
    if ((await this.#tell(false)) === 'taken')
      this.#replaced.abort(
        new Error(`Another process has taken the worker id "${this.#parts.card.id}" while this one was silent.`),
      )
  }

  async leave(): Promise<void> {
    this.#left.abort()
    await this.#beating
    const { client, clock, keys, card } = this.#parts
    const { workers, workerFacts } = keys
    await patiently(client, clock, () => leave.run(client, [workers, workerFacts], [card.id, this.#token]))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave()
  }

  async #keepBeating(): Promise<void> {
    const ended = AbortSignal.any([this.#left.signal, this.#replaced.signal])
    while (!ended.aborted) {
      await this.#parts.clock.sleep(this.#parts.times.beatMs, ended)
      if (!ended.aborted) await this.beat()
    }
  }

  #tell(joins: boolean): Promise<unknown> {
    const { client, courier, clock, card, stats } = this.#parts
    const { workers, workerFacts } = this.#parts.keys
    const { lifeMs, keptMs } = this.#parts.times
    const said = JSON.stringify({ card, stats: stats() })
    const args = [card.id, this.#token, said, joins ? 1 : 0, lifeMs, keptMs]
    const order = { script: beat, keys: [workers, workerFacts], args, mayWait: joins ? false : 'long' } as const
    return patiently(client, clock, () => courier.ask(order))
  }
}

const TOKEN_LENGTH = 36

function entryOf(keys: RegistryKeys, text: string, silentMs: number, { lifeMs }: WorkerTimes): WorkerEntry {
  const { success, data } = told.safeParse(parsed(text.slice(TOKEN_LENGTH)))
  if (!success) throw strangeValue(keys.workerFacts)
  return { ...data.card, stats: data.stats, silentMs, alive: silentMs < lifeMs }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
