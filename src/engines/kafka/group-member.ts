import type { Consumer, GroupPartitionsAssigner } from '@platformatic/kafka'
import type { Clock } from '../../clock.ts'
import { assign, type Claim, type Holdings } from './assign.ts'
import type { Kafka } from './connect.ts'
import { mayPass } from './faults.ts'
import { backOffMs, patiently } from './patience.ts'

export interface GroupMemberOptions {
  readonly kafka: Kafka
  readonly group: string
  readonly topics: readonly string[]
  readonly clock: Clock
  /** The partitions that we own are others now. */
  readonly onChange: () => void
  /** We are out of the group and cannot come back. */
  readonly onFailure: (error: unknown) => void
}

/**
 * A place in a consumer group, kept through rebalances and absences of the brokers. What it owns, nobody else does: the
 * others get a partition only after its owner let it go or was silent for the session's time, and one who was silent for
 * so long owns nothing in its own eyes either.
 */
export class GroupMember implements AsyncDisposable {
  readonly consumer: Consumer
  readonly #options: GroupMemberOptions
  readonly #closing = new AbortController()
  #joining: Promise<void> | undefined
  #heardAt: number

  constructor(options: GroupMemberOptions) {
    const { kafka, group, topics, clock, onChange } = options
    const { sessionTimeoutMs } = kafka.config
    this.#options = options
    this.#heardAt = clock.now()
    this.consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: sessionTimeoutMs,
      // By its answer we learn of a rebalance: so long the others wait for us.
      heartbeatInterval: Math.min(Math.floor(sessionTimeoutMs / 4), 1000),
      // Under this name members keep what they hold during a rebalance; who gets what is decided by `assign`.
      protocols: [{ name: 'cooperative-sticky', version: 3 }],
      partitionAssigner,
    })
    this.consumer.topics.trackAll(...topics)
    const heard = () => {
      const wasSilent = this.isSilent
      this.#heardAt = clock.now()
      if (wasSilent) onChange()
    }
    this.consumer.on('consumer:heartbeat:end', heard)
    for (const event of ['consumer:group:join', 'consumer:group:rebalance'] as const)
      this.consumer.on(event, () => {
        heard()
        onChange()
      })
    // Once joining has failed the library sends no heartbeats any more.
    this.consumer.on('error', () => void this.#rejoin())
  }

  async join(): Promise<void> {
    const { clock, kafka } = this.#options
    const { patienceMs } = kafka.config
    const join = async () => void (await this.consumer.joinGroup({}))
    await patiently(join, { clock, patienceMs, mayPass, signal: this.#closing.signal })
  }

  /** The group may have given our partitions to others. */
  get isSilent(): boolean {
    const { clock, kafka } = this.#options
    return clock.now() - this.#heardAt > kafka.config.sessionTimeoutMs
  }

  /** The partitions of a topic that are ours now. */
  owned(topic: string): readonly number[] {
    if (this.isSilent) return []
    return this.consumer.assignments?.find((assignment) => assignment.topic === topic)?.partitions ?? []
  }

  /** Leaves the group, so that the others need not wait for our silence. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.consumer.close(true)
  }

  #rejoin(): Promise<void> {
    const { clock, onFailure, onChange } = this.#options
    const { signal } = this.#closing
    this.#joining ??= clock
      .sleep(backOffMs(1), signal)
      .then(() => (signal.aborted ? undefined : this.join()))
      .catch((error) => (signal.aborted ? undefined : onFailure(error)))
      .finally(() => {
        this.#joining = undefined
        onChange()
      })
    return this.#joining
  }
}

const partitionAssigner: GroupPartitionsAssigner = (_, members, topics, metadata) => {
  const claims = [...members.values()].map((member): Claim => {
    const holds = new Map((member.ownedPartitions ?? []).map(({ topic, partitions }) => [topic, partitions]))
    return { member: member.memberId, generation: member.generationId ?? -1, holds }
  })
  const partitions = new Map([...topics].map((topic) => [topic, metadata.topics.get(topic)?.partitionsCount ?? 0]))
  return [...assign(claims, partitions)].map(([memberId, holds]) => ({ memberId, assignments: asAnswered(holds) }))
}

function asAnswered(holds: Holdings) {
  return new Map([...holds].map(([topic, partitions]) => [topic, { topic, partitions: [...partitions] }]))
}
