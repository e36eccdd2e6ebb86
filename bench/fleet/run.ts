/**
 * What coordination costs a fleet: crawls the bench site by 1, 2, 4 and 8 workers on one Redis, and prints for each page
 * the CPU time of the workers by part, that of the engines and of the orchestrator, and the operations and round trips of
 * Redis. The workers make a smaller crawl before, so that loading and compiling the program are left out. Fails when pages
 * are missing or were fetched twice.
 *
 *   node bench/fleet/run.ts [--pages 8000] [--hosts 400] [--workers 1,2,4,8] [--warm-up 500] [--no-archive]
 *     [--delay 0] [--by-script] [--profiles DIR] [--json]
 *
 * `--warm-up`: pages for each worker of the smaller crawl. `--delay`: between two requests to a host, so that any number of
 * workers brings as many pages a second, on a machine that is not full: `--delay 4s`. `--by-script`: counts operations and
 * trips by script and command too; that keeps Redis so busy that no time of such a run means anything.
 *
 * Starts engines of its own, so that what they do is for this crawl. Redis writes its append-only file, as docs/redis.md
 * recommends.
 */
import { parseArgs } from 'node:util'
import { startOpenSearch } from '../../scripts/engines/opensearch.ts'
import { startRedis } from '../../scripts/engines/redis.ts'
import { startS3 } from '../../scripts/engines/s3.ts'
import { measuredCrawl } from './measured-crawl.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '8000' },
    hosts: { type: 'string', default: '400' },
    workers: { type: 'string', default: '1,2,4,8' },
    'warm-up': { type: 'string', default: '500' },
    archive: { type: 'boolean', default: true },
    delay: { type: 'string', default: '0' },
    'by-script': { type: 'boolean', default: false },
    profiles: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

const bucket = 'bench'
const say = (line: string) => console.error(line)
await using stack = new AsyncDisposableStack()
const redis = stack.use(await startRedis({ settings: ['--appendonly', 'yes', '--appendfsync', 'everysec'] }, say))
const opensearch = stack.use(await startOpenSearch({}, say))
const s3 = values.archive ? stack.use(await startS3({ buckets: [bucket] }, say)) : undefined
const settings = {
  engines: {
    opensearch: { urls: [opensearch.url], replicas: 0 },
    ...(s3 && { s3: { endpoint: s3.url, bucket, forcePathStyle: true } }),
  },
  ...{ store: { archive: values.archive }, worker: { threads: 0 } },
}

for (const workers of values.workers.split(',').map(Number)) {
  const row = await measuredCrawl({
    ...{ workers, settings, redisUrl: redis.url, engines: [opensearch, ...(s3 ? [s3] : [])].map(({ pid }) => pid) },
    ...{ pages: Number(values.pages), hosts: Number(values.hosts), warmUpPages: Number(values['warm-up']) },
    ...{ profiles: values.profiles, delay: values.delay, byScript: values['by-script'] },
  })
  console.log(values.json ? JSON.stringify(row) : row)
  if (row.missing > 0 || row.repeats > 0) process.exitCode = 1
}
