import * as z from 'zod'
import { kafkaConfig } from './kafka/config.ts'
import { openSearchConfig } from './opensearch/config.ts'
import { redisConfig } from './redis/config.ts'
import { s3Config } from './s3/config.ts'

/** The engines of a fleet. Where no Redis is named, a crawl runs on engines inside the process. */
export const enginesConfig = z.strictObject({
  redis: redisConfig.prefault({}),
  kafka: kafkaConfig.prefault({}),
  s3: s3Config.prefault({}),
  opensearch: openSearchConfig.prefault({}),
})

export type EnginesConfig = z.infer<typeof enginesConfig>
