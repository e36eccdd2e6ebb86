import type { Clock } from '../../../clock.ts'
import type { Script } from '../../../engines/redis/script.ts'
import type { Shards } from '../../../engines/redis/shards.ts'
import type { HostKey } from '../../../url/keys.ts'
import type { Candidate, Readmission } from '../../frontier.ts'
import { packEntry, shortUrl } from './entry.ts'
import type { ShardCalls } from './shard-calls.ts'
import type { ShardHints } from './shard-hints.ts'

/** Scripts that take more at once would keep others waiting. */
const urlsInACall = 50

const readmissions = new Map<string, Readmission>([
  ['q', 'queued'],
  ['w', 'waiting'],
  ['r', 'refused'],
])

export interface RevisitsOptions {
  readonly calls: ShardCalls
  readonly script: Script
  readonly shards: Shards
  readonly hints: ShardHints
  readonly clock: Clock
  readonly fingerprint: (url: string) => number
}

/** Has URLs visited again, those of each host together. */
export async function revisitIn(
  options: RevisitsOptions,
  candidates: readonly Candidate[],
): Promise<readonly Readmission[]> {
  const answers = new Array<Readmission>(candidates.length).fill('refused')
  const byHost = Map.groupBy(candidates.keys(), (place) => candidates[place]!.host)
  const calls = byHost.entries().flatMap(([host, places]) => slices(places).map((some) => ({ host, some })))
  await Promise.all(
    calls.map(async ({ host, some }) => {
      const heard = await ask(
        options,
        host,
        some.map((place) => candidates[place]!),
      )
      for (const [at, place] of some.entries()) answers[place] = heard[at]!
    }),
  )
  return answers
}

async function ask(
  { calls, script, shards, hints, clock, fingerprint }: RevisitsOptions,
  host: HostKey,
  candidates: readonly Candidate[],
): Promise<readonly Readmission[]> {
  const shard = shards.of(host)
  const now = clock.now()
  const answer = (await calls.run(script, shard, [
    host,
    ...candidates.flatMap((candidate) => [
      ...[shortUrl(candidate.url, host), fingerprint(candidate.url)],
      packEntry(candidate, now, true),
    ]),
  ])) as string
  if (answer.includes('q')) hints.sooner(shard, 0)
  return Array.from(answer, (letter) => readmissions.get(letter)!)
}

function* slices(places: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < places.length; at += urlsInACall) yield places.slice(at, at + urlsInACall)
}
