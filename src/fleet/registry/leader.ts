import type { Clock } from '../../clock.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { expecting, patiently, strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { checkedId, type RegistryKeys, registryKeys } from './keys.ts'

/** A time in which one process leads. */
export interface LeaderTerm {
  /** Rises with every take-over, also across fail-overs: who writes with an older number is refused. */
  readonly number: number
  /** Aborts when the lead is lost, before another can have it. */
  readonly over: AbortSignal
  /** Still true at this moment? A process that slept sees it here before its timers fire. */
  leads(): boolean
}

/** One process of the fleet leads; when it falls silent another takes over within 10 s. */
export interface LeaderLock {
  /**
   * Tries to lead until `signal` aborts. Each time it does, calls `lead` and waits for its end, which should come soon
   * after `term.over`. When `lead` ends by itself the lead is given up. What `lead` throws ends this too.
   */
  campaign(lead: (term: LeaderTerm) => Promise<void>, signal: AbortSignal): Promise<void>
  leader(): Promise<{ readonly id: string; readonly term: number } | undefined>
}

export interface LeaderTimes {
  readonly renewMs: number
  readonly lifeMs: number
  /** Given up so long before the engine would: for timers that fire late. */
  readonly marginMs: number
}

const usualTimes: LeaderTimes = { renewMs: 2000, lifeMs: 6000, marginMs: 500 }

const lead = scriptOf(new URL('./lead.lua', import.meta.url))
const resign = scriptOf(new URL('./resign.lua', import.meta.url))

export function leaderLock(
  client: RedisClient,
  prefix: string,
  id: string,
  clock: Clock,
  times = usualTimes,
): LeaderLock {
  return new RedisLeaderLock(client, registryKeys(prefix), checkedId(id), clock, times)
}

class RedisLeaderLock implements LeaderLock {
  readonly #client: RedisClient
  readonly #keys: RegistryKeys
  readonly #id: string
  readonly #clock: Clock
  readonly #times: LeaderTimes

  constructor(client: RedisClient, keys: RegistryKeys, id: string, clock: Clock, times: LeaderTimes) {
    this.#client = client
    this.#keys = keys
    this.#id = id
    this.#clock = clock
    this.#times = times
  }

  async campaign(lead: (term: LeaderTerm) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const askedAt = this.#clock.now()
      const number = await this.#unlessAborted(this.#ask(''), signal)
      const isInTime = this.#clock.now() < this.#validFrom(askedAt)
      if (number > 0 && isInTime) await this.#reign(number, askedAt, lead, signal)
      else if (number > 0) await this.#resign(number)
      await this.#clock.sleep(this.#times.renewMs, signal)
    }
  }

  async leader() {
    const { leader } = this.#keys
    const holder = await patiently(this.#client, this.#clock, () => expecting(leader, this.#client.get(leader)))
    if (holder === null) return undefined
    const [term, id] = holder.split(' ')
    if (!Number(term) || id === undefined) throw strangeValue(leader)
    return { id, term: Number(term) }
  }

  async #reign(
    number: number,
    askedAt: number,
    lead: (term: LeaderTerm) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const over = new AbortController()
    const term = { number, over, validUntil: this.#validFrom(askedAt) }
    const renewing = this.#renewWhileLeading(term, AbortSignal.any([signal, over.signal]))
    const leading = lead({
      number,
      over: over.signal,
      leads: () => !over.signal.aborted && this.#clock.now() < term.validUntil,
    })
    try {
      // A renewal that fails for good ends the term as well, and is thrown once `lead` has come to its end.
      await Promise.all([leading.finally(() => over.abort()), renewing.finally(() => over.abort())])
    } finally {
      await Promise.allSettled([leading])
      // Also after a lost term: an answer that came too late may have prolonged it in the engine.
      await Promise.race([this.#resign(number), this.#clock.sleep(this.#times.marginMs)])
    }
  }

  async #renewWhileLeading(term: { number: number; over: AbortController; validUntil: number }, ended: AbortSignal) {
    while (!ended.aborted) {
      await this.#clock.sleep(this.#times.renewMs, ended)
      if (ended.aborted) return
      const askedAt = this.#clock.now()
      const tooLate = new AbortController()
      const answer = await Promise.race([
        this.#ask(String(term.number)),
        this.#clock.sleep(term.validUntil - askedAt, AbortSignal.any([ended, tooLate.signal])),
      ])
      tooLate.abort()
      if (ended.aborted) return
      if (answer !== term.number || this.#clock.now() >= term.validUntil) term.over.abort()
      else term.validUntil = this.#validFrom(askedAt)
    }
  }

  /** The engine counts a life from when it acted, which was not before it was asked. */
  #validFrom(askedAt: number): number {
    return askedAt + this.#times.lifeMs - this.#times.marginMs
  }

  async #ask(term: string): Promise<number> {
    const { leader, leaderTerm } = this.#keys
    const answer = await patiently(this.#client, this.#clock, () =>
      expecting(leader, lead.run(this.#client, [leader, leaderTerm], [this.#id, term, this.#times.lifeMs])),
    )
    return Number(answer)
  }

  async #resign(number: number): Promise<void> {
    await patiently(this.#client, this.#clock, () => resign.run(this.#client, [this.#keys.leader], [this.#id, number]))
  }

  async #unlessAborted(asked: Promise<number>, signal: AbortSignal): Promise<number> {
    const aborted = Promise.withResolvers<number>()
    const stop = () => aborted.resolve(0)
    signal.addEventListener('abort', stop)
    try {
      return await Promise.race([asked, aborted.promise])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
