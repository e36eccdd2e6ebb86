import type { Clock } from '../clock.ts'
import { UsageError } from '../config/usage-error.ts'
import type { EnginesConfig } from '../engines/config.ts'
import type { RedisClient } from '../engines/redis/connect.ts'
import { claimFact } from '../engines/redis/shards.ts'

/**
 * Fixes where a fleet keeps pages when it is first used, and refuses another place later: pages of a worker that writes
 * elsewhere would be missing, while all others take them for done. Addresses are no part of it: machines may see the same
 * engine at different ones.
 */
export async function claimPlaces(redis: RedisClient, engines: EnginesConfig, clock: Clock): Promise<void> {
  const claimed = await claimFact(redis, placesKey(engines.redis.prefix), placesOf(engines), clock)
  const fault = placesFault(engines, claimed)
  if (fault !== undefined) throw new UsageError(fault)
}

export const placesKey = (prefix: string) => `${prefix}:places`

/** `claimed`: what the fleet was begun with, if it was. */
export function placesFault(engines: EnginesConfig, claimed: string | null): string | undefined {
  const { prefix } = engines.redis
  const own = placesOf(engines)
  if (claimed === null || claimed === own) return undefined
  return `The fleet "${prefix}" keeps its pages by ${claimed}, and these settings say ${own}: correct them, or choose another engines.redis.prefix. If the pages were moved there, delete the Redis key "${placesKey(prefix)}".`
}

function placesOf({ opensearch, s3 }: EnginesConfig): string {
  const archive = s3.bucket === '' ? 'no engines.s3' : `engines.s3 "${s3.bucket}/${s3.prefix}"`
  return `engines.opensearch.prefix "${opensearch.prefix}" and ${archive}`
}
