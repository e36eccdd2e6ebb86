import type { EnginesConfig } from './config.ts'

export function isFleet({ redis }: EnginesConfig): boolean {
  return redis.url !== null || redis.cluster.length > 0 || redis.sentinels.length > 0
}
