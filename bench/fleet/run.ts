/**
 * What coordination costs a fleet: crawls the bench site by 1, 2, 4 and 8 workers on one Redis, and prints for each page
 * the CPU time of the workers by part, that of Redis and of the orchestrator, and the operations and round trips of Redis.
 * Counted is from when every worker has brought its first pages until the end of the crawl, so that loading and compiling
 * the program are left out. Fails when pages are missing or were fetched twice.
 *
 *   node bench/fleet/run.ts [--pages 8000] [--hosts 400] [--workers 1,2,4,8] [--warm-up 200] [--no-archive]
 *     [--profiles DIR] [--json]
 *
 * Engines are those that the environment names (ORBWEAVER_TEST_REDIS_URL, …), or are started; Redis is always its own, so
 * that its counts are.
 */
import { parseArgs } from 'node:util'
import { startRedis } from '../../scripts/engines/redis.ts'
import { bucket, type Start, startEngines, stopEngines } from '../../scripts/engines/start-engines.ts'
import { measuredCrawl } from './measured-crawl.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '8000' },
    hosts: { type: 'string', default: '400' },
    workers: { type: 'string', default: '1,2,4,8' },
    'warm-up': { type: 'string', default: '200' },
    archive: { type: 'boolean', default: true },
    profiles: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

const say = (line: string) => console.error(line)
const others = await startEngines(values.archive ? ['opensearch', 's3'] : ['opensearch'], say)
try {
  await using redis = await startRedis({ settings: ['--appendonly', 'yes', '--appendfsync', 'everysec'] }, say)
  for (const workers of values.workers.split(',').map(Number)) {
    const row = await measuredCrawl({
      ...{ workers, redisUrl: redis.url, settings: settings() },
      ...{ pages: Number(values.pages), hosts: Number(values.hosts), warmUpPages: Number(values['warm-up']) },
      profiles: values.profiles,
    })
    console.log(values.json ? JSON.stringify(row) : row)
    if (row.missing > 0 || row.repeats > 0) process.exitCode = 1
  }
} finally {
  await stopEngines(others)
}

function settings() {
  const s3 = values.archive ? { endpoint: urlOf('s3'), bucket, forcePathStyle: true } : undefined
  return {
    engines: { opensearch: { urls: [urlOf('opensearch')], replicas: 0 }, ...(s3 && { s3 }) },
    ...{ store: { archive: values.archive }, worker: { threads: 0 } },
  }
}

function urlOf(name: Start['name']): string {
  const start = others.find((one) => one.name === name)
  if (!start || start.kind === 'missing') throw new Error(start?.reason ?? `${name} was not started`)
  return start.url
}
