import type { RedisClient } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import type { Shards } from '../../engines/redis/shards.ts'

/** Shards may have forgotten what was written to them after a moment. */
export interface LostWrites {
  /** `lost`: they surely have. `unwatched`: they may have, since nobody led who would have seen it. */
  readonly kind: 'lost' | 'unwatched'
  readonly shards: readonly number[]
  /** Engine's clock. 0: all of it. */
  readonly since: number
}

/**
 * Sees when an engine forgets: a fail-over to a replica that lagged behind, a restart without the last second. The leader
 * notes the moment in every shard each second; a shard that then has an older note than it was given has lost all since.
 */
export interface Beacons {
  /** Lights every beacon. Answers what was lost since the last time, once; usually nothing. */
  check(): Promise<readonly LostWrites[]>
}

export interface BeaconsOptions {
  readonly client: RedisClient
  readonly shards: Shards
  /** Beacons that are older than this when they are seen for the first time were not watched. */
  readonly watchedMs?: number
}

const lightBeacon = scriptOf(new URL('./light-beacon.lua', import.meta.url))

export function openBeacons({ client, shards, watchedMs = 3000 }: BeaconsOptions): Beacons {
  const courier = new Courier({ client })
  const known = new Map<number, number>()
  const all = Array.from({ length: shards.count }, (_, shard) => shard)

  const keyOf = (shard: number) => shards.fleetKey(shard, 'beacon')

  async function lightAll(): Promise<Sighting[]> {
    const together = courier.mayJoinKeys ? [all] : all.map((shard) => [shard])
    const answers = (await courier.askAll(
      together.map((some) => ({
        ...{ script: lightBeacon, keys: some.map(keyOf) },
        args: some.map((shard) => known.get(shard) ?? ''),
      })),
    )) as string[][][]
    const seen = answers.flat()
    return all.map((shard) => {
      const sighting = sightingOf(seen[shard]!, shard, watchedMs, known.has(shard))
      if (sighting === undefined) throw strangeValue(keyOf(shard))
      return sighting
    })
  }

  return {
    async check() {
      const sightings = await lightAll()
      for (const { shard, note } of sightings) {
        if (note === undefined) known.delete(shard)
        else known.set(shard, note)
      }
      return (['lost', 'unwatched'] as const).flatMap((kind) => lossOf(kind, sightings))
    },
  }
}

interface Sighting {
  readonly shard: number
  readonly kind: 'well' | LostWrites['kind']
  /** What the shard knows of now. */
  readonly note: number | undefined
  readonly since: number
}

function sightingOf(answer: readonly string[], shard: number, watchedMs: number, isKnown: boolean) {
  const [what, before, note] = answer
  const since = Number(before)
  if (what === 'lost') return { shard, kind: 'lost', note: before === '' ? undefined : since, since } as const
  if (what !== 'lit') return undefined
  const isUnwatched = !isKnown && before !== '' && Number(note) - since > watchedMs
  return { shard, kind: isUnwatched ? 'unwatched' : 'well', note: Number(note), since } as const
}

function lossOf(kind: LostWrites['kind'], sightings: readonly Sighting[]): LostWrites[] {
  const lossy = sightings.filter((sighting) => sighting.kind === kind)
  if (lossy.length === 0) return []
  return [{ kind, shards: lossy.map(({ shard }) => shard), since: Math.min(...lossy.map(({ since }) => since)) }]
}
