import type { Clock } from '../../clock.ts'
import type { Courier } from '../../engines/redis/courier.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { registryKeys } from '../registry/keys.ts'
import { nearShards } from './near-shards.ts'

/**
 * Those who visit hosts for a crawl right now. They share out its shards, so that every worker has its part of the hosts,
 * and none looks where others do. It is a habit, not a right: what a worker does not come for others take, and only a
 * lease gives a host to anybody.
 */
export interface Crew {
  /** Whether a shard falls to this worker, by the crew as it was some 2 s ago at most. */
  isNear(shard: number): boolean
}

export interface CrewOptions {
  readonly courier: Courier
  readonly prefix: string
  readonly crawl: string
  readonly worker: string
  readonly shards: number
  readonly hash: (text: string) => number
  readonly clock: Clock
  /** It leases no more from then on: its part falls to the others. */
  readonly leaving: AbortSignal
  readonly fail: (error: unknown) => void
}

const crew = scriptOf(new URL('./crew.lua', import.meta.url))
const beatMs = 2000
const lifeMs = 6000

export async function joinCrew(options: CrewOptions): Promise<Crew> {
  const { courier, prefix, crawl, worker, shards, hash, clock, leaving, fail } = options
  const keys = [registryKeys(prefix).crew(crawl)]
  let known = ''
  let near: ReadonlySet<number> = new Set()

  async function beat(isFirst: boolean): Promise<void> {
    const order = { script: crew, keys, args: [worker, lifeMs, 0], mayWait: isFirst ? false : 'long' } as const
    const workers = ((await courier.ask(order)) as string[]).toSorted()
    if (workers.join(' ') === known) return
    known = workers.join(' ')
    near = nearShards(worker, workers, shards, hash)
  }

  async function keepBeating(): Promise<void> {
    while (!leaving.aborted) {
      await clock.sleep(beatMs, leaving)
      if (!leaving.aborted) await beat(false)
    }
    if (!courier.isClosed) await courier.ask({ script: crew, keys, args: [worker, lifeMs, 1] })
  }

  await beat(true)
  keepBeating().catch((error) => {
    if (!courier.isClosed) fail(error)
  })
  return { isNear: (shard) => near.has(shard) }
}
