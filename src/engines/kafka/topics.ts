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

/**
 * Removes topics, with what their groups had read of them; one that is not there counts as removed. Answers those that
 * the user may not remove.
 */
export async function removeTopics(
  kafka: Kafka,
  names: readonly string[],
  clock: Clock = systemClock(),
): Promise<readonly string[]> {
  const kept: string[] = []
  for (const name of names) {
    try {
      await patiently(() => removeTopic(kafka, name), { clock, patienceMs: 10_000, mayPass })
    } catch (error) {
      if (!hasApiId(error, 'TOPIC_AUTHORIZATION_FAILED'))
        throw new UsageError(kafkaSentence(kafka.config, error), { cause: error })
      kept.push(name)
    }
  }
  return kept
}

/** One at a time: an answer about several does not say which of them it was that failed. */
async function removeTopic({ admin }: Kafka, name: string): Promise<void> {
  try {
    await admin.deleteTopics({ topics: [name] })
  } catch (error) {
    if (!hasApiId(error, 'UNKNOWN_TOPIC_OR_PARTITION')) throw error
  }
}

async function findOrCreate(kafka: Kafka, plans: readonly TopicPlan[]): Promise<ReadonlyMap<string, number>> {
  const before = await partitionsOfAll(kafka, plans)
  const missing = plans.filter(({ name }) => !before.has(name))
  if (missing.length === 0) return before
  await create(kafka, missing)
  const after = await partitionsOfAll(kafka, plans)
  return new Map(plans.map(({ name, partitions }) => [name, after.get(name) ?? partitions]))
}

async function partitionsOfAll(kafka: Kafka, plans: readonly TopicPlan[]): Promise<Map<string, number>> {
  const found = await Promise.all(plans.map(async ({ name }) => [name, await partitionsOf(kafka, name)] as const))
  return new Map(found.flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])))
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

async function create({ admin, config }: Kafka, plans: readonly TopicPlan[]): Promise<void> {
  const replicas = config.replicationFactor === 0 ? -1 : config.replicationFactor
  const configs = [{ name: 'retention.ms', value: '-1' }]
  const topics = plans.map(({ name: topic, partitions }) => ({ topic, partitions, replicas }))
  try {
    await admin.createTopics({ topics, configs })
  } catch (error) {
    // Another worker may have been faster; those that are still missing are told by the next look.
    if (!hasApiId(error, 'TOPIC_ALREADY_EXISTS')) throw error
  }
}
