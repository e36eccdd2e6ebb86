import type { Clock } from '../clock.ts'
import type { FailureCode } from '../fetch/outcome.ts'
import type { Origin } from '../url/keys.ts'
import type { RobotsConfig } from './config.ts'
import { parseRobots, type RobotsRules } from './robots.ts'
import { type BeforeTouch, type FetchRobots, fetchRobotsEntry } from './robots-fetch.ts'
import type { RobotsEntry, RobotsStore } from './robots-store.ts'

export type RobotsAnswer =
  | { readonly kind: 'rules'; readonly rules: RobotsRules }
  /** Nothing may be fetched from this origin; asking again is useful after this time. */
  | {
      readonly kind: 'unavailable'
      readonly retryInMs: number
      readonly code: FailureCode | null
      readonly detail: string
    }

export interface RobotsCacheOptions {
  readonly store: RobotsStore
  readonly clock: Clock
  readonly fetchRobots: FetchRobots
  readonly config: RobotsConfig
  /** Files that failed before this moment are asked for again: a person has started or resumed the crawl since. */
  readonly openedAt?: number
}

const NO_RULES = parseRobots('')
const RULE_BYTES = 200

interface Kept {
  readonly entry: RobotsEntry
  readonly rules: RobotsRules
  readonly bytes: number
}

/** Fetches, keeps and refreshes the rules of each origin: parsed in memory, as text in the store that all workers share. */
export class RobotsCache {
  readonly #options: RobotsCacheOptions
  /** The longest unused first. */
  readonly #kept = new Map<Origin, Kept>()
  /** It need not be moved to the end to be the last there. */
  #newest: Origin | undefined
  #keptBytes = 0
  readonly #asking = new Map<Origin, Promise<RobotsAnswer>>()

  constructor(options: RobotsCacheOptions) {
    this.#options = options
  }

  /** What is known without waiting for anything; `undefined`: ask `rulesFor`, which may have to touch the host. */
  peek(origin: Origin): RobotsAnswer | undefined {
    const kept = this.#kept.get(origin)
    if (!kept || kept.entry.expiresAt <= this.#options.clock.now()) return undefined
    if (origin !== this.#newest) {
      this.#kept.delete(origin)
      this.#kept.set(origin, kept)
      this.#newest = origin
    }
    return this.#answer(kept)
  }

  /**
   * Answers from memory, then from the store, then from the host. Equal questions at the same time are one; it is the
   * first one's `beforeTouch` that is asked.
   */
  async rulesFor(origin: Origin, beforeTouch: BeforeTouch = async () => ({})): Promise<RobotsAnswer> {
    const known = this.peek(origin) ?? this.#asking.get(origin)
    if (known) return known
    const asking = this.#ask(origin, beforeTouch).finally(() => this.#asking.delete(origin))
    this.#asking.set(origin, asking)
    return asking
  }

  async #ask(origin: Origin, beforeTouch: BeforeTouch): Promise<RobotsAnswer> {
    const { store, clock, fetchRobots, config, openedAt = 0 } = this.#options
    const stored = await store.get(origin)
    const isOld = stored?.kind === 'unavailable' && stored.fetchedAt < openedAt
    if (stored && !isOld && stored.expiresAt > clock.now()) return this.#answer(this.#keep(origin, stored))
    const failures = stored?.kind === 'unavailable' && !isOld ? stored.failures : 0
    const now = () => clock.now()
    const entry = await fetchRobotsEntry(origin, { fetchRobots, beforeTouch, now, config, failures, store })
    if (!entry) return { kind: 'unavailable', retryInMs: 0, code: 'cancelled', detail: 'not asked' }
    await store.put(origin, entry)
    return this.#answer(this.#keep(origin, entry))
  }

  #answer({ entry, rules }: Kept): RobotsAnswer {
    if (entry.kind !== 'unavailable') return { kind: 'rules', rules }
    const retryInMs = Math.max(0, entry.expiresAt - this.#options.clock.now())
    return { kind: 'unavailable', retryInMs, code: entry.code, detail: entry.detail }
  }

  #keep(origin: Origin, entry: RobotsEntry): Kept {
    const rules = entry.kind === 'rules' ? parseRobots(entry.text) : NO_RULES
    const bytes = entry.kind === 'rules' ? entry.text.length + rules.ruleCount * RULE_BYTES : RULE_BYTES
    const kept = { entry: entry.kind === 'rules' ? { ...entry, text: '' } : entry, rules, bytes }
    this.#forget(origin)
    this.#kept.set(origin, kept)
    this.#newest = origin
    this.#keptBytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.config.maxKept && this.#keptBytes <= this.#options.config.maxKeptBytes) break
      this.#forget(oldest)
    }
    return kept
  }

  #forget(origin: Origin): void {
    this.#keptBytes -= this.#kept.get(origin)?.bytes ?? 0
    this.#kept.delete(origin)
  }
}
