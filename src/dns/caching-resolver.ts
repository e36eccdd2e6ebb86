import type { Clock } from '../clock.ts'
import { type Gate, gate } from '../gate.ts'
import type { DnsConfig } from './config.ts'
import type { NameHints } from './name-hints.ts'
import type { Resolution, Resolver } from './resolver.ts'

type CacheConfig = Pick<DnsConfig, 'minTtlMs' | 'maxTtlMs' | 'maxNames' | 'maxLookups' | 'hotAfter'>

interface Answer {
  readonly resolution: Resolution
  readonly bornAt: number
  readonly expiresAt: number
  /** Questions answered since `bornAt`. */
  asked: number
}

const renewAtShare = 0.8
const renewCheckMs = 1000

/**
 * Keeps answers and failures for their lifetime and joins equal questions, so that a name is asked for at most once at a
 * time. Names in use are renewed in the background at 80 % of their lifetime: a crawl never waits for them again. What it
 * does not know it looks for among `hints`, and what it learns it tells there.
 */
export function cachingResolver(inner: Resolver, clock: Clock, config: CacheConfig, hints?: NameHints): Resolver {
  return new CachingResolver(inner, clock, config, hints)
}

class CachingResolver implements Resolver {
  readonly #inner: Resolver
  readonly #clock: Clock
  readonly #config: CacheConfig
  readonly #hints: NameHints | undefined
  readonly #lookups: Gate
  /** In order of last use, the longest unused first. */
  readonly #answers = new Map<string, Answer>()
  readonly #underWay = new Map<string, Promise<Resolution>>()
  readonly #hot = new Map<string, Answer>()
  readonly #closed = new AbortController()
  #renewing: Promise<void> | undefined

  constructor(inner: Resolver, clock: Clock, config: CacheConfig, hints?: NameHints) {
    this.#inner = inner
    this.#clock = clock
    this.#config = config
    this.#hints = hints
    this.#lookups = gate(config.maxLookups)
  }

  async resolve(host: string): Promise<Resolution> {
    const name = host.toLowerCase()
    const answer = this.#answers.get(name)
    if (!answer || answer.expiresAt <= this.#clock.now()) return this.#lookUp(name)
    this.#answers.delete(name)
    this.#answers.set(name, answer)
    answer.asked++
    if (answer.asked === this.#config.hotAfter && answer.resolution.kind === 'resolved') this.#heat(name, answer)
    return answer.resolution
  }

  #lookUp(name: string): Promise<Resolution> {
    const joined = this.#underWay.get(name)
    if (joined) return joined
    const question = this.#lookups.through(() => this.#ask(name))
    const kept = question
      .then((resolution) => {
        this.#keep(name, resolution)
        return resolution
      })
      .finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, kept)
    return kept
  }

  /** A name that is being renewed is asked for where it comes from: hints would only get older. */
  async #ask(name: string): Promise<Resolution> {
    const isRenewal = (this.#answers.get(name)?.expiresAt ?? 0) > this.#clock.now()
    const hint = isRenewal ? undefined : await this.#hints?.get(name)
    if (hint) return hint
    const resolution = await this.#inner.resolve(name)
    this.#hints?.put(name, resolution)
    return resolution
  }

  #keep(name: string, resolution: Resolution) {
    const known = this.#answers.get(name)
    const now = this.#clock.now()
    // A renewal that failed must not take away an answer that is still good.
    if (resolution.kind === 'failed' && known?.resolution.kind === 'resolved' && known.expiresAt > now) return
    this.#forget(name)
    this.#answers.set(name, { resolution, bornAt: now, expiresAt: now + this.#lifetimeMs(resolution), asked: 1 })
    if (this.#answers.size > this.#config.maxNames) this.#forget(this.#answers.keys().next().value!)
  }

  #lifetimeMs({ kind, ttlMs }: Resolution): number {
    const capped = Math.min(ttlMs, this.#config.maxTtlMs)
    return kind === 'resolved' ? Math.max(capped, this.#config.minTtlMs) : capped
  }

  #forget(name: string) {
    this.#answers.delete(name)
    this.#hot.delete(name)
  }

  #heat(name: string, answer: Answer) {
    this.#hot.set(name, answer)
    this.#renewing ??= this.#renewHotNames().finally(() => {
      this.#renewing = undefined
    })
  }

  async #renewHotNames() {
    while (this.#hot.size > 0) {
      await this.#clock.sleep(renewCheckMs, this.#closed.signal)
      if (this.#closed.signal.aborted) return
      const now = this.#clock.now()
      for (const [name, { bornAt, expiresAt }] of this.#hot) {
        if (now < bornAt + (expiresAt - bornAt) * renewAtShare) continue
        this.#hot.delete(name)
        void this.#lookUp(name)
      }
    }
  }

  async [Symbol.asyncDispose]() {
    this.#closed.abort()
    await this.#renewing
    await this.#inner[Symbol.asyncDispose]()
  }
}
