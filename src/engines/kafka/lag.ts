import type { Consumer } from '@platformatic/kafka'
import type { Clock } from '../../clock.ts'
import type { Kafka } from './connect.ts'
import { mayPass } from './faults.ts'
import { patiently } from './patience.ts'

/** How far a group is behind what was put. */
export interface Lag {
  /** Put and not yet acknowledged. */
  readonly waiting: number
  /** All that was ever put: the same before and after means that nothing was put meanwhile. */
  readonly put: number
}

/** Where to ask: a client that knows the group, and the topics with their partitions. */
export interface LagQuestion {
  readonly kafka: Kafka
  readonly consumer: Consumer
  readonly partitions: ReadonlyMap<string, number>
  readonly clock: Clock
  /** How long the brokers may be away. Left out: as the configuration says. */
  readonly patienceMs?: number
}

/** What a group has committed, by topic and partition; -1n: nothing yet. */
export type Committed = ReadonlyMap<string, readonly bigint[]>

export interface KnownLag extends Lag {
  readonly committed: Committed
  /** What waits, by topic. */
  readonly waitingIn: ReadonlyMap<string, number>
}

/**
 * Commits are read before ends: what is put in between makes the lag greater, never smaller. So a lag of 0 says that all
 * that was put before the question has been handled.
 */
export async function readLag({ kafka, consumer, partitions, clock, ...question }: LagQuestion): Promise<KnownLag> {
  const { patienceMs = kafka.config.patienceMs } = question
  return await patiently(() => askLag(consumer, partitions), { clock, patienceMs, mayPass })
}

async function askLag(consumer: Consumer, partitions: ReadonlyMap<string, number>): Promise<KnownLag> {
  const committed = await consumer.listCommittedOffsets({ topics: allOf(partitions) })
  const ends = await consumer.listOffsets({ topics: [...partitions.keys()] })
  const waitingIn = new Map<string, number>()
  let [waiting, put] = [0n, 0n]
  for (const [topic, offsets] of ends) {
    const before = waiting
    for (const [partition, end] of offsets.entries()) {
      put += end
      waiting += end - max(committed.get(topic)?.[partition] ?? -1n, 0n)
    }
    waitingIn.set(topic, Number(waiting - before))
  }
  return { waiting: Number(waiting), put: Number(put), committed, waitingIn }
}

function allOf(partitions: ReadonlyMap<string, number>) {
  return [...partitions].map(([topic, count]) => ({ topic, partitions: Array.from({ length: count }, (_, n) => n) }))
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
