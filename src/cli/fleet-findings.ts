import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { EnginesConfig } from '../engines/config.ts'
import { checkKafka } from '../engines/kafka/check.ts'
import { connectKafka } from '../engines/kafka/connect.ts'
import { checkVersion, connectOpenSearch } from '../engines/opensearch/connect.ts'
import { connectRedis, type RedisClient, placeOf as redisPlace } from '../engines/redis/connect.ts'
import { evictionFault, fullnessFault, type Info, parsedInfo } from '../engines/redis/info.ts'
import { shardsFault } from '../engines/redis/shards.ts'
import { connectS3, placeOf as s3Place } from '../engines/s3/connect.ts'
import { placesFault, placesKey } from '../fleet/places.ts'
import { bad, type Finding, ok, warn } from './finding.ts'
import { showDuration } from './units.ts'

/** What an operator would want to know of each engine before a crawl begins: is it there, fit, allowed, set up well? */
export async function fleetFindings(config: Config): Promise<Finding[]> {
  return (
    await Promise.all([redisFindings(config), openSearchFindings(config), s3Findings(config), kafkaFindings(config)])
  ).flat()
}

async function redisFindings({ engines }: Config): Promise<Finding[]> {
  const { redis } = engines
  return found('redis', async () => {
    const client = await connectRedis(redis)
    try {
      const info = parsedInfo(await client.info())
      return [
        ok(
          'redis',
          `${info.valkey_version ? 'Valkey' : 'Redis'} ${info.valkey_version ?? info.redis_version} at ${redisPlace(redis)}`,
        ),
        ...keptFindings(info),
        ...memoryFindings(info),
        ...(await fixedFindings(client, engines)),
        await clockFinding(client),
      ]
    } finally {
      client.disconnect()
    }
  })
}

function keptFindings(info: Info): Finding[] {
  if (info.aof_enabled === '1') return [ok('redis file', 'append-only, so a restart loses a second at most')]
  return [warn('redis file', 'appendonly is off: a restart forgets the frontier. Set `appendonly yes`.')]
}

function memoryFindings(info: Info): Finding[] {
  const faults = [evictionFault(info), fullnessFault(info)].filter((fault) => fault !== undefined)
  return faults.map((fault) => bad('redis memory', fault))
}

/** What a fleet has fixed for ever, and these settings say otherwise. */
async function fixedFindings(client: RedisClient, engines: EnginesConfig): Promise<Finding[]> {
  const { prefix, shards } = engines.redis
  const faults = [
    shardsFault(prefix, shards, await client.get(`${prefix}:shards`)),
    placesFault(engines, await client.get(placesKey(prefix))),
  ]
  return faults.filter((fault) => fault !== undefined).map((fault) => bad('redis fleet', fault))
}

async function clockFinding(client: RedisClient): Promise<Finding> {
  const before = Date.now()
  const [seconds, micros] = (await client.time()) as [number | string, number | string]
  const behindMs = (before + Date.now()) / 2 - (Number(seconds) * 1000 + Number(micros) / 1000)
  if (Math.abs(behindMs) < 2000) return ok('clock', "agrees with Redis's")
  const which = behindMs > 0 ? 'ahead of' : 'behind'
  return warn(
    'clock',
    `This machine's is ${showDuration(Math.abs(behindMs))} ${which} Redis's. Paces do not depend on it, but moments in records do: set it by NTP.`,
  )
}

async function openSearchFindings({ engines: { opensearch } }: Config): Promise<Finding[]> {
  if (opensearch.urls.length === 0) return [bad('opensearch', 'No engine is named: set engines.opensearch.urls.')]
  return found('opensearch', async () => {
    await using engine = await connectOpenSearch(opensearch, systemClock())
    return [ok('opensearch', `${await checkVersion(engine)} at ${engine.place}, may be written`)]
  })
}

async function s3Findings({ engines: { s3 }, store }: Config): Promise<Finding[]> {
  if (s3.bucket === '')
    return store.archive ? [bad('s3', 'No bucket is named: set engines.s3.bucket, or crawl with --no-archive.')] : []
  return found('s3', async () => {
    using _bucket = await connectS3(s3)
    return [ok('s3', `${s3Place(s3)} can be read, written and deleted from`)]
  })
}

async function kafkaFindings({ engines: { kafka } }: Config): Promise<Finding[]> {
  if (kafka.brokers.length === 0) return [ok('kafka', 'not used: URLs go straight to Redis')]
  return found('kafka', async () => {
    await using brokers = await connectKafka(kafka)
    const { mayRemove } = await checkKafka(brokers, systemClock())
    return [
      ok('kafka', `${kafka.brokers.join(', ')}, may be written and read`),
      ...(mayRemove
        ? []
        : [
            warn(
              'kafka topics',
              `The user may not remove them: handled messages, and topics of crawls that are removed, stay. Allow DELETE on topics with the prefix ${kafka.prefix}.`,
            ),
          ]),
    ]
  })
}

async function found(what: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof UsageError) return [bad(what, error.message)]
    throw error
  }
}
