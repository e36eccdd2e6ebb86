import type { Clock } from '../../../clock.ts'
import { Gathering } from '../../../engines/redis/gathering.ts'
import type { Script } from '../../../engines/redis/script.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { FrontierConfig } from '../../config.ts'
import type { Hold, HostLease, HostReport, Settled } from '../../frontier.ts'
import { shortUrl, unpackEntry } from './entry.ts'
import { oneLine } from './one-line.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

const settlementsInACall = 100

export interface SettlingOptions {
  readonly calls: ShardCalls
  readonly script: Script
  readonly shards: Shards
  readonly hints: ShardHints
  readonly config: FrontierConfig
  readonly clock: Clock
}

interface Settlement {
  readonly visits: readonly Settled[]
  readonly hold: Hold | undefined
  /** Where it is the last one: how the lease ends. */
  readonly ending?: Ending
}

interface Ending {
  readonly report: HostReport
  readonly orGoOnWith: number
}

/** `false`: the lease is lost. A number: as settle.lua answers it. Entries: it goes on with these. */
type Answer = false | number | readonly string[]

/** Settles the visits of a lease that end about the same time in one call, and ends the lease in the same one. */
export class Settling {
  readonly #options: SettlingOptions
  readonly #byLease = new Map<string, Gathering<Settlement, Answer>>()

  constructor(options: SettlingOptions) {
    this.#options = options
  }

  /** False: the lease is lost. */
  async settle(lease: HostLease, visits: readonly Settled[], hold: Hold | undefined): Promise<boolean> {
    return (await this.#add(lease, { visits, hold })) !== false
  }

  /** What was settled before goes first, or along. */
  async end(lease: HostLease, report: HostReport, orGoOnWith: number): Promise<'released' | 'lease-lost' | HostLease> {
    const { config, clock, shards, hints } = this.#options
    // Before it is sent: the engine counts a lease that goes on from later on.
    const askedAt = clock.now()
    const answer = await this.#add(lease, { visits: [], hold: report.hold, ending: { report, orGoOnWith } })
    if (answer === false) return 'lease-lost'
    if (typeof answer !== 'number') {
      const requests = answer.map((entry) => unpackEntry(entry, lease.host))
      return { ...lease, expiresAt: askedAt + config.leaseMs, waitMs: 0, requests }
    }
    if (answer >= 0) hints.sooner(shards.of(lease.host), clock.now() + answer)
    return 'released'
  }

  async #add(lease: HostLease, settlement: Settlement): Promise<Answer> {
    const key = keyOf(lease)
    let gathering = this.#byLease.get(key)
    if (!gathering) {
      const send = (settlements: readonly Settlement[]) => this.#send(lease, settlements)
      gathering = new Gathering(settlementsInACall, send, () => this.#byLease.delete(key))
      this.#byLease.set(key, gathering)
    }
    const [answer] = await gathering.add([settlement])
    return answer!
  }

  async #send({ host, generation }: HostLease, settlements: readonly Settlement[]): Promise<readonly Answer[]> {
    const { calls, script, shards, hints, clock } = this.#options
    const visits = settlements.flatMap((settlement) => settlement.visits)
    const hold = longest(settlements.flatMap((settlement) => settlement.hold ?? []))
    const ending = this.#endingOf(settlements.find((settlement) => settlement.ending)?.ending)
    const shard = shards.of(host)
    const args = [
      ...[host, generation, hold?.ms ?? -1, oneLine(hold?.reason ?? ''), ending.length, ...ending],
      ...visits.flatMap((visit) => [shortUrl(visit.url, host), ...outcome(visit), addsOf(visit)]),
    ]
    // A rest that a server asked for is made safe at once.
    const answer = (await calls.run(script, shard, args, hold === undefined)) as number | string[] | null
    for (const visit of visits) if (visit.kind === 'retry') hints.sooner(shard, clock.now() + visit.afterMs)
    return settlements.map(() => answer ?? false)
  }

  /** As settle.lua takes it. */
  #endingOf(ending: Ending | undefined): readonly number[] {
    if (!ending) return []
    const { leaseMs, bandWeights } = this.#options.config
    const { report, orGoOnWith } = ending
    const { gapMs, burst, connections, failures } = report.pace
    return [report.touchedMsAgo ?? -1, gapMs, burst, connections, failures, orGoOnWith, leaseMs, ...bandWeights]
  }
}

const keyOf = ({ generation, host }: HostLease) => `${generation} ${host}`

const longest = (holds: readonly Hold[]) =>
  holds.reduce<Hold | undefined>((best, hold) => (best && best.ms >= hold.ms ? best : hold), undefined)

/** Kind, number and reason, as settle.lua takes them. */
function outcome(visit: Settled): [string, number, string] {
  switch (visit.kind) {
    case 'done':
      return ['done', visit.nearDuplicate === undefined ? -1 : Number(visit.nearDuplicate), '']
    case 'retry':
      return ['retry', visit.afterMs, oneLine(visit.reason)]
    case 'excluded':
    case 'dead':
      return [visit.kind, 0, oneLine(visit.reason)]
    default:
      return visit satisfies never
  }
}

function addsOf({ adds }: Settled): string {
  return adds && Object.keys(adds).length > 0 ? JSON.stringify(adds) : ''
}
