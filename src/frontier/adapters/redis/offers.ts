import type { Clock } from '../../../clock.ts'
import type { Script } from '../../../engines/redis/courier.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { FrontierConfig } from '../../config.ts'
import type { Admission, Candidate } from '../../frontier.ts'
import { packEntry } from './entry.ts'
import { Gathering } from './gathering.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

/** A script that admits more at once would keep others waiting. */
const urlsInACall = 100

export interface OffersOptions {
  readonly calls: ShardCalls
  readonly script: Script
  readonly shards: Shards
  readonly hints: ShardHints
  readonly config: FrontierConfig
  readonly clock: Clock
  readonly fingerprint: (url: string) => number
  readonly initialPace: (host: HostKey) => Pace
}

const admissions = new Map<string, Admission>([
  ['a', 'admitted'],
  ['k', 'known'],
  ['x', 'excluded'],
  ['b', 'over-budget'],
])

/** Sorts candidates by shard, and has them admitted there together with those of other pages. */
export class Offers {
  readonly #options: OffersOptions
  readonly #byShard: readonly Gathering<Candidate, Admission>[]

  constructor(options: OffersOptions) {
    this.#options = options
    this.#byShard = Array.from(
      { length: options.shards.count },
      (_, shard) => new Gathering(urlsInACall, (candidates) => this.#admit(shard, candidates)),
    )
  }

  async offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    const answers = new Array<Admission>(candidates.length)
    const places = Map.groupBy(candidates.keys(), (place) => this.#options.shards.of(candidates[place]!.host))
    const admitted = [...places].map(async ([shard, at]) => {
      const heard = await this.#byShard[shard]!.add(at.map((place) => candidates[place]!))
      for (const [index, place] of at.entries()) answers[place] = heard[index]!
    })
    await Promise.all(admitted)
    return answers
  }

  async #admit(shard: number, candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    const { calls, script, config, clock, fingerprint, initialPace, hints } = this.#options
    const hosts = [...new Set(candidates.map(({ host }) => host))]
    const numbers = new Map(hosts.map((host, index) => [host, index + 1]))
    const now = clock.now()
    const answer = (await calls.run(script, shard, [
      ...[config.maxUrlsPerHost, hosts.length],
      ...hosts.flatMap((host) => [host, initialPace(host).gapMs]),
      ...candidates.flatMap((candidate) => [
        ...[numbers.get(candidate.host)!, fingerprint(candidate.url), candidate.refusal ?? ''],
        packEntry(candidate, now),
      ]),
    ])) as string
    if (answer.includes('a')) hints.sooner(shard, 0)
    return Array.from(answer, (letter) => admissions.get(letter)!)
  }
}
