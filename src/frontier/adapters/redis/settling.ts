import type { Clock } from '../../../clock.ts'
import { Gathering } from '../../../engines/redis/gathering.ts'
import type { Script } from '../../../engines/redis/script.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { Hold, HostLease, Settled } from '../../frontier.ts'
import { shortUrl } from './entry.ts'
import { oneLine } from './one-line.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

const settlementsInACall = 100

export interface SettlingOptions {
  readonly calls: ShardCalls
  readonly script: Script
  readonly shards: Shards
  readonly hints: ShardHints
  readonly clock: Clock
}

interface Settlement {
  readonly visits: readonly Settled[]
  readonly hold: Hold | undefined
}

/** Settles the visits of a lease that end about the same time in one call. */
export class Settling {
  readonly #options: SettlingOptions
  readonly #byLease = new Map<string, Gathering<Settlement, boolean>>()

  constructor(options: SettlingOptions) {
    this.#options = options
  }

  /** False: the lease is lost. */
  async settle(lease: HostLease, visits: readonly Settled[], hold: Hold | undefined): Promise<boolean> {
    const key = keyOf(lease)
    let gathering = this.#byLease.get(key)
    if (!gathering) {
      const send = (settlements: readonly Settlement[]) => this.#send(lease, settlements)
      gathering = new Gathering(settlementsInACall, send, () => this.#byLease.delete(key))
      this.#byLease.set(key, gathering)
    }
    const [isHeld] = await gathering.add([{ visits, hold }])
    return isHeld!
  }

  /** Resolves when what was settled of a lease is on its way: what is sent then arrives after it. */
  async gone(lease: HostLease): Promise<void> {
    await this.#byLease.get(keyOf(lease))?.gone
  }

  async #send({ host, generation }: HostLease, settlements: readonly Settlement[]): Promise<readonly boolean[]> {
    const { calls, script, shards, hints, clock } = this.#options
    const visits = settlements.flatMap((settlement) => settlement.visits)
    const hold = longest(settlements.flatMap((settlement) => settlement.hold ?? []))
    const shard = shards.of(host)
    const answer = await calls.run(script, shard, [
      ...[host, generation, hold?.ms ?? -1, oneLine(hold?.reason ?? '')],
      ...visits.flatMap((visit) => [shortUrl(visit.url, host), ...ending(visit), addsOf(visit)]),
    ])
    for (const visit of visits) if (visit.kind === 'retry') hints.sooner(shard, clock.now() + visit.afterMs)
    return settlements.map(() => answer === 1)
  }
}

const keyOf = ({ generation, host }: HostLease) => `${generation} ${host}`

const longest = (holds: readonly Hold[]) =>
  holds.reduce<Hold | undefined>((best, hold) => (best && best.ms >= hold.ms ? best : hold), undefined)

/** Kind, number and reason, as settle.lua takes them. */
function ending(visit: Settled): [string, number, string] {
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
