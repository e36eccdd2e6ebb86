import type { Clock } from '../../../clock.ts'
import type { RedisClient } from '../../../engines/redis/connect.ts'
import { Courier } from '../../../engines/redis/courier.ts'
import { strangeValue } from '../../../engines/redis/patience.ts'
import type { RobotsEntry, RobotsStore } from '../../robots-store.ts'
import { robotsEntryOf, robotsValue } from './robots-value.ts'

/** An entry is kept for so long after it has expired: it tells how often robots.txt failed, and what it said last. */
const KEPT_AFTER_MS = 86_400_000
/** Clocks that differ by less are taken for one. */
const SAME_CLOCK_MS = 2000

/**
 * Keeps each robots.txt for all workers of the fleet, for as long as it counts and a day longer; then Redis forgets it by
 * itself. `courier`: shared by all who use this client. Moments are those of the clock of whoever asks: what is left of an entry's life is measured by the engine.
 */
export function redisRobots(
  client: RedisClient,
  prefix: string,
  clock: Clock,
  courier = new Courier({ client }),
): RobotsStore {
  const keyOf = (origin: string) => `${prefix}:robots:${origin}`

  return {
    async get(origin) {
      const key = keyOf(origin)
      const now = clock.now()
      const [value, leftMs] = await courier.askAll(
        [
          { keys: [key], command: 'GET' },
          { keys: [key], command: 'PTTL' },
        ],
        'bytes',
      )
      if (!Buffer.isBuffer(value)) return undefined
      const entry = robotsEntryOf(value)
      if (!entry) throw strangeValue(key)
      return onClockOf(now, entry, Number(leftMs) - KEPT_AFTER_MS)
    },
    async put(origin, entry) {
      const key = keyOf(origin)
      const value = robotsValue(entry)
      const lifeMs = Math.max(0, Math.ceil(entry.expiresAt - clock.now())) + KEPT_AFTER_MS
      await courier.ask({ keys: [key], command: 'SET', args: [value, 'PX', lifeMs] })
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** The entry as this worker's clock tells its moments; `leftMs` of its life, 0 or less when that has ended. */
export function onClockOf(now: number, entry: RobotsEntry, leftMs: number): RobotsEntry {
  const hasEnded = leftMs <= 0 && entry.expiresAt <= now
  const shiftMs = now + leftMs - entry.expiresAt
  if (hasEnded || Math.abs(shiftMs) < SAME_CLOCK_MS) return entry
  return { ...entry, fetchedAt: entry.fetchedAt + shiftMs, expiresAt: entry.expiresAt + shiftMs }
}
