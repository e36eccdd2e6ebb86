import { Cluster } from 'ioredis'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { engineNews } from '../../monitor/events.ts'
import type { RedisClient } from './connect.ts'
import { accessLost } from './faults.ts'

/**
 * What an engine says while it starts, fails over, moves a slot, or has no room left in memory or on its disk, and what a
 * client says when the connection went while an answer was awaited: it passes.
 */
const PASSING = new RegExp(
  [
    '^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|BUSY|OOM|MISCONF|NOREPLICAS) ',
    'Connection is closed|Failed to refresh slots|startup nodes|Too many Cluster redirections|slots allocation group',
    'non local key|ECONN|ETIMEDOUT|EPIPE|aborted|is ended|did not answer',
  ].join('|'),
)

/** Somebody has lost patience with an engine; whoever has more may go on waiting. */
export class EngineAway extends Error {}

export function isPassing(error: unknown): boolean {
  return error instanceof Error && (error instanceof EngineAway || PASSING.test(error.message))
}

/** Why it is waited for, for people: with what to do where the engine says it in its own terms. */
export function reasonToWait({ message }: Error): string {
  if (message.startsWith('OOM ')) return 'its memory is full: raise its maxmemory'
  if (message.startsWith('MISCONF ')) return 'it cannot write to its disk: free some space, see its log'
  return message.replace(/\.? script: .*$/s, '')
}

/**
 * Repeats a task that may be done twice until the engine answers. What does not pass by waiting is thrown at once, also
 * that the client has been closed.
 */
export async function patiently<T>(client: RedisClient, clock: Clock, task: () => Promise<T>): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const done = await task()
      if (waitMs > FIRST_WAIT_MS) engineNews.tell({ engine: 'redis', isAway: false, reason: '' })
      return done
    } catch (error) {
      if (!isPassing(error) || client.status === 'end') throw (error instanceof Error && accessLost(error)) || error
      engineNews.tell({ engine: 'redis', isAway: true, reason: reasonToWait(error as Error) })
    }
    await clock.sleep(waitMs)
    // Slots may have moved, or another node may have taken over: a pipeline does not find that out by itself.
    if (client instanceof Cluster) client.refreshSlotsCache()
  }
}

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 5000

/** A key holds what this version does not write: made by another program or another version. */
export function strangeValue(key: string, cause?: unknown): UsageError {
  return new UsageError(
    `Redis key "${key}" holds something that this version of Orbweaver does not understand: choose another engines.redis.prefix, or delete the key.`,
    { cause },
  )
}

/** An error as people should read it: a value of the wrong kind becomes the sentence above, others stay as they are. */
export function expected(key: string, error: unknown): unknown {
  return error instanceof Error && error.message.includes('WRONGTYPE') ? strangeValue(key, error) : error
}

export async function expecting<T>(key: string, task: Promise<T>): Promise<T> {
  try {
    return await task
  } catch (error) {
    throw expected(key, error)
  }
}
