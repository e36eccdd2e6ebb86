import type { Clock } from '../../../clock.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { FrontierConfig } from '../../config.ts'
import type { HostLease, LeaseAnswer } from '../../frontier.ts'
import { unpackEntry } from './entry.ts'
import type { FrontierScripts } from './scripts.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

/** A script that leases more at once would keep others waiting. */
const hostsInACall = 10
const shardsAtFirst = 16
const rounds = 4

export interface LeaseSearchOptions {
  readonly calls: ShardCalls
  readonly hints: ShardHints
  readonly scripts: Pick<FrontierScripts, 'lease' | 'due'>
  readonly config: FrontierConfig
  readonly clock: Clock
  readonly aheadMs: number
  readonly holdBackMs: number
  readonly initialPace: (host: HostKey) => Pace
  readonly ownedShards: (() => readonly number[]) | undefined
}

interface HowToAsk {
  readonly maxUrls: number
  readonly mayWait: boolean
}

interface ShardAnswer {
  readonly shard: number
  readonly more: boolean
  readonly found: readonly { readonly lease: HostLease; readonly sunk: boolean }[]
}

/**
 * Leases hosts that are due, in a few shards at first and in all that have some if that was not enough. Where others may
 * have made something due it only looks, at the same time, since most often they have not. A round is one trip. Hosts
 * that have sunk come last.
 */
export class LeaseSearch {
  readonly #options: LeaseSearchOptions

  constructor(options: LeaseSearchOptions) {
    this.#options = options
  }

  /** `mayWait`: there is something to do meanwhile. */
  async run(maxHosts: number, maxUrls: number, mayWait: boolean): Promise<LeaseAnswer> {
    const { clock, hints, ownedShards } = this.#options
    const { sure, unsure } = hints.due(ownedShards?.(), clock.now())
    const answers: ShardAnswer[] = []
    const looking = this.#look(unsure, mayWait)
    let [left, due] = [maxHosts, sure]
    // Where nothing was found yet others have come first: somewhere else there may be something.
    for (let round = 0; left > 0 && (round < rounds || left === maxHosts); round++) {
      // Each has something to give, or must tell whether it has, and notice that its engine was restarted.
      const many = Math.min(left, round === 0 ? shardsAtFirst : due.length)
      const { asked = [], later = [] } = Object.groupBy(due, (shard, at) =>
        at < many || hints.isDoubted(shard) ? 'asked' : 'later',
      )
      const heard = await this.#ask(asked, left, { maxUrls, mayWait })
      answers.push(...heard)
      for (const { found } of heard) left -= found.length
      const withMore = new Set(heard.filter(({ more }) => more).map(({ shard }) => shard))
      due = [...withMore, ...later, ...(round === 0 ? await looking : [])]
      if (due.length === 0) break
    }
    return this.#answer(answers, due)
  }

  /** Those of the shards in which something is due that is not left to others. */
  async #look(shards: readonly number[], mayWait: boolean): Promise<number[]> {
    const { calls, scripts, clock, hints, aheadMs } = this.#options
    if (shards.length === 0) return []
    const answers = (await calls.runInEach(scripts.due, shards, [aheadMs], mayWait && 'briefly')) as number[]
    for (const [at, shard] of shards.entries()) {
      const dueInMs = answers[at]!
      hints.heard(shard, clock.now(), dueInMs < 0 ? null : dueInMs)
    }
    return shards.filter((shard, at) => answers[at] === 0 && hints.isSure(shard, clock.now()))
  }

  #answer(answers: readonly ShardAnswer[], unasked: readonly number[]): LeaseAnswer {
    const { hints, clock, ownedShards } = this.#options
    const found = answers.flatMap((answer) => answer.found)
    if (answers.length > 0) hints.turnTo(answers.at(-1)!.shard)
    for (const shard of unasked) hints.sooner(shard, 0)
    const leases = [...found.filter(({ sunk }) => !sunk), ...found.filter(({ sunk }) => sunk)].map(({ lease }) => lease)
    const [owned, now] = [ownedShards?.(), clock.now()]
    return { leases, nextDueMs: hints.nextDueMs(owned, now), askInMs: hints.askInMs(owned, now) }
  }

  async #ask(shards: readonly number[], maxHosts: number, how: HowToAsk): Promise<ShardAnswer[]> {
    const calls: Promise<ShardAnswer>[] = []
    for (const [index, shard] of shards.entries()) {
      let share = Math.floor(maxHosts / shards.length) + (index < maxHosts % shards.length ? 1 : 0)
      if (share === 0) calls.push(this.#askOne(shard, 0, how))
      for (; share > 0; share -= hostsInACall) calls.push(this.#askOne(shard, Math.min(share, hostsInACall), how))
    }
    return Promise.all(calls)
  }

  async #askOne(shard: number, maxHosts: number, { maxUrls, mayWait }: HowToAsk): Promise<ShardAnswer> {
    const { calls, scripts, config, clock, hints, aheadMs, holdBackMs } = this.#options
    // Before it is sent: the engine counts the lease from later on.
    const askedAt = clock.now()
    const args = [maxHosts, maxUrls, config.leaseMs, aheadMs, ...config.bandWeights, holdBackMs]
    const answer = (await calls.run(scripts.lease, shard, args, mayWait && 'briefly')) as LeasesReply
    const [dueInMs, more, ...replies] = answer
    hints.heard(shard, clock.now(), more ? 0 : dueInMs < 0 ? null : dueInMs)
    return {
      shard,
      more: more === 1,
      found: replies.map((reply) => this.#leaseOf(reply, askedAt + config.leaseMs)),
    }
  }

  #leaseOf(reply: LeaseReply, expiresAt: number): { lease: HostLease; sunk: boolean } {
    const [name, generation, waitMs, quietMs, gapMs, burst, connections, failures, sunk, ...entries] = reply
    const host = name as HostKey
    const pace = burst === 0 ? this.#options.initialPace(host) : { gapMs: Number(gapMs), burst, connections, failures }
    const requests = entries.map((entry) => unpackEntry(entry, host))
    return { lease: { host, generation, expiresAt, waitMs, quietMs, pace, requests }, sunk: sunk === 1 }
  }
}

type LeasesReply = [dueInMs: number, more: number, ...LeaseReply[]]

/** As lease.lua answers it. */
type LeaseReply = [
  host: string,
  generation: number,
  waitMs: number,
  quietMs: number,
  gapMs: string,
  burst: number,
  connections: number,
  failures: number,
  sunk: number,
  ...entries: string[],
]
