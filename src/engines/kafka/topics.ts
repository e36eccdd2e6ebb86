import { type Clock, systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Kafka, kafkaSentence } from './connect.ts'
import { hasApiId, mayPass } from './faults.ts'
import { patiently } from './patience.ts'

export interface TopicPlan {
  readonly name: string
  readonly partitions: number
}

/** `prefix.crawl.rest`, refused when Kafka would. */
export function topicName(prefix: string, crawl: string, rest: string): string {
  const name = `${prefix}.${crawl}.${rest}`
  if (!/^[a-zA-Z0-9._-]{1,249}$/.test(name))
    throw new UsageError(
      `"${name}" cannot be a Kafka topic: use letters, digits, ".", "_" and "-" in the crawl's name.`,
    )
  return name
}

/**
 * Creates the topics that are missing and answers how many partitions each of them has: a topic that is there is used as
 * it was found. What they carry is never dropped by age, since nobody knows when its turn comes.
 */
export async function ensureTopics(
  kafka: Kafka,
  plans: readonly TopicPlan[],
  clock: Clock = systemClock(),
): Promise<ReadonlyMap<string, number>> {
  try {
    // A topic just created is unknown to some brokers for a moment.
    const settled = { clock, patienceMs: 10_000, mayPass }
    return await patiently(() => findOrCreate(kafka, plans), settled)
  } catch (error) {
    throw new UsageError(kafkaSentence(kafka.config, error), { cause: error })
  }
}

async function findOrCreate(kafka: Kafka, plans: readonly TopicPlan[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const plan of plans) {
    if ((await partitionsOf(kafka, plan.name)) === undefined) await create(kafka, plan)
    counts.set(plan.name, (await partitionsOf(kafka, plan.name)) ?? plan.partitions)
  }
  return counts
}

async function partitionsOf({ admin }: Kafka, topic: string): Promise<number | undefined> {
  try {
    const { topics } = await admin.metadata({ topics: [topic], forceUpdate: true })
    return topics.get(topic)?.partitionsCount
  } catch (error) {
    if (isUnknownTopic(error)) return undefined
    throw error
  }
}

/** The library turns the broker's answer into words of its own. */
const isUnknownTopic = (error: unknown) => error instanceof Error && error.message.startsWith('Unknown topic')

async function create({ admin, config }: Kafka, { name, partitions }: TopicPlan): Promise<void> {
  const replicas = config.replicationFactor === 0 ? -1 : config.replicationFactor
  const configs = [{ name: 'retention.ms', value: '-1' }]
  try {
    await admin.createTopics({ topics: [name], partitions, replicas, configs })
  } catch (error) {
    if (!hasApiId(error, 'TOPIC_ALREADY_EXISTS')) throw error
  }
}
