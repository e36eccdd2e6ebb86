import type { Clock } from '../../../clock.ts'
import type { Kafka } from '../../../engines/kafka/connect.ts'
import { ensureTopics, topicName } from '../../../engines/kafka/topics.ts'
import { bands } from '../../bands.ts'
import type { Band } from '../../frontier.ts'

/** The topics of a crawl's candidates, one for each band, with the partitions that they were found to have. */
export type UrlTopics = Readonly<Record<Band, { readonly name: string; readonly partitions: number }>>

export function urlTopicName({ config }: Kafka, crawl: string, band: Band): string {
  return topicName(config.prefix, crawl, `urls.${band}`)
}

export async function ensureUrlTopics(kafka: Kafka, crawl: string, clock: Clock): Promise<UrlTopics> {
  const { partitions } = kafka.config
  const nameOf = (band: Band) => urlTopicName(kafka, crawl, band)
  const plans = bands.map((band) => ({ name: nameOf(band), partitions: partitions[band] }))
  const found = await ensureTopics(kafka, plans, clock)
  const topic = (band: Band) => ({ name: nameOf(band), partitions: found.get(nameOf(band))! })
  return { high: topic('high'), medium: topic('medium'), low: topic('low') }
}

/** The consumer group of those who work on the crawl. */
export const urlGroup = ({ config }: Kafka, crawl: string): string => `${config.prefix}.${crawl}.urls`

export function partitionsByName(topics: UrlTopics): ReadonlyMap<string, number> {
  return new Map(Object.values(topics).map(({ name, partitions }) => [name, partitions]))
}
