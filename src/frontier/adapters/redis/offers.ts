import type { Clock } from '../../../clock.ts'
import { Gathering } from '../../../engines/redis/gathering.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { Pace } from '../../../politeness/pace.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { FrontierConfig } from '../../config.ts'
import type { Admission, Candidate } from '../../frontier.ts'
import { packEntry } from './entry.ts'
import { KnownUrls } from './known-urls.ts'
import { oneLine } from './one-line.ts'
import { rebuiltFilter } from './rebuilt-filter.ts'
import type { FrontierScripts } from './scripts.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

/** Scripts that take more at once would keep others waiting. */
const urlsInACall = 50
const fingerprintsInACall = 500

export interface OffersOptions {
  readonly calls: ShardCalls
  readonly scripts: FrontierScripts
  readonly shards: Shards
  readonly hints: ShardHints
  readonly config: FrontierConfig
  readonly clock: Clock
  readonly fingerprint: (url: string) => number
  readonly initialPace: (host: HostKey) => Pace
  /** URLs that the engine has confirmed lately and that need no asking. */
  readonly recentUrls: number
  /** A host has further URLs. */
  readonly onAdmitted: (host: HostKey) => void
}

interface Offered {
  readonly candidate: Candidate
  readonly fingerprint: number
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
  readonly #known: KnownUrls
  readonly #admitting: readonly Gathering<Offered, Admission>[]
  readonly #asking: readonly Gathering<number, boolean>[]
  #rebuilding: Promise<void> | undefined

  constructor(options: OffersOptions) {
    const { shards, recentUrls, config } = options
    this.#options = options
    this.#known = new KnownUrls(recentUrls, config.expectedUrls)
    const each = <T>(make: (shard: number) => T) => Array.from({ length: shards.count }, (_, shard) => make(shard))
    this.#admitting = each((shard) => new Gathering(urlsInACall, (offered) => this.#admit(shard, offered)))
    this.#asking = each((shard) => new Gathering(fingerprintsInACall, (these) => this.#ask(shard, these)))
  }

  async offer(candidates: readonly Candidate[]): Promise<readonly Admission[]> {
    const { shards, fingerprint } = this.#options
    const offered = candidates.map((candidate) => ({ candidate, fingerprint: fingerprint(candidate.url) }))
    const answers = new Array<Admission>(candidates.length).fill('known')
    const unsure = offered.keys().filter((place) => this.#known.recall(offered[place]!.fingerprint) !== 'known')
    const byShard = Map.groupBy(unsure, (place) => shards.of(candidates[place]!.host))
    await Promise.all(
      byShard.entries().map(async ([shard, places]) => {
        const heard = await this.#offerIn(
          shard,
          places.map((place) => offered[place]!),
        )
        for (const [at, place] of places.entries()) answers[place] = heard[at]!
      }),
    )
    return answers
  }

  /** The engine may have forgotten something: ask again. */
  doubt(): void {
    this.#known.doubt()
  }

  /** Waits for what goes on beside the offers. */
  async settle(): Promise<void> {
    await this.#rebuilding
  }

  async #offerIn(shard: number, offered: readonly Offered[]): Promise<readonly Admission[]> {
    const answers = new Array<Admission>(offered.length).fill('known')
    const admit = async (places: readonly number[]) => {
      const heard = await this.#admitting[shard]!.add(places.map((place) => offered[place]!))
      for (const [at, place] of places.entries()) answers[place] = heard[at]!
    }
    const isGuess = (place: number) => this.#known.recall(offered[place]!.fingerprint) === 'perhaps'
    const { guessed = [], fresh = [] } = Object.groupBy(offered.keys(), (at) => (isGuess(at) ? 'guessed' : 'fresh'))
    const [seen] = await Promise.all([
      this.#asking[shard]!.add(guessed.map((place) => offered[place]!.fingerprint)),
      admit(fresh),
    ])
    for (const right of seen) this.#known.guessed(right)
    await admit(guessed.filter((_, at) => !seen[at]))
    if (this.#known.isWorn) this.#rebuild()
    return answers
  }

  async #ask(shard: number, fingerprints: readonly number[]): Promise<readonly boolean[]> {
    const { calls, scripts } = this.#options
    const answer = (await calls.run(scripts.known, shard, fingerprints, 'briefly')) as string
    const seen = Array.from(answer, (digit) => digit === '1')
    for (const [at, fingerprint] of fingerprints.entries()) if (seen[at]) this.#known.confirm(fingerprint)
    return seen
  }

  async #admit(shard: number, offered: readonly Offered[]): Promise<readonly Admission[]> {
    const { calls, scripts, config, clock, initialPace, hints, onAdmitted } = this.#options
    const hosts = [...new Set(offered.map(({ candidate }) => candidate.host))]
    const numbers = new Map(hosts.map((host, index) => [host, index + 1]))
    const now = clock.now()
    const args = [
      ...[config.maxUrlsPerHost, hosts.length],
      ...hosts.flatMap((host) => [host, initialPace(host).gapMs]),
      ...offered.flatMap(({ candidate, fingerprint }) => [
        ...[numbers.get(candidate.host)!, fingerprint, oneLine(candidate.refusal ?? '')],
        packEntry(candidate, now),
      ]),
    ]
    const answer = (await calls.run(scripts.offer, shard, args, 'briefly')) as string
    if (answer.includes('a')) hints.sooner(shard, 0)
    for (const { fingerprint } of offered) this.#known.confirm(fingerprint)
    for (const [at, { candidate }] of offered.entries()) if (answer[at] === 'a') onAdmitted(candidate.host)
    return Array.from(answer, (letter) => admissions.get(letter)!)
  }

  #rebuild(): void {
    const { calls, scripts, shards, config } = this.#options
    this.#rebuilding ??= rebuiltFilter(calls, scripts.seen, shards.count, config.expectedUrls)
      // An engine that is away is told to whoever offers next; the filter only saves work, and the old one still does.
      .then(
        (filter) => this.#known.renew(filter),
        () => this.#known.keep(),
      )
      .finally(() => {
        this.#rebuilding = undefined
      })
  }
}
