import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { systemClock } from '../../src/clock.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Config } from '../../src/config/schema.ts'
import { s3Connection } from '../../src/engines/s3/connect.ts'
import { withoutEngines } from '../../src/fleet/crawl-orders.ts'
import { connectFleet, type Fleet } from '../../src/fleet/fleet.ts'
import { type FleetReader, openFleetReader } from '../../src/fleet/open-reader.ts'
import type { CrawlState } from '../../src/fleet/registry/crawls.ts'
import { scratchFolder, withoutProbes } from '../crawl/crawl-of-web.ts'
import { engineFor } from '../engines.ts'
import type { RemoteWeb } from '../web/remote.ts'
import { FleetProcess } from './fleet-process.ts'

/** Where a fleet's engines are, by the names of their settings. */
export type EngineSettings = Readonly<Record<string, unknown>>

export const withRedis = ['redis', 's3', 'opensearch'] as const
export const withKafka = [...withRedis, 'kafka'] as const

/** Why a test that needs these engines is skipped. */
export function skipWithout(engines: readonly (typeof withKafka)[number][]): string | false {
  return engines.map((name) => engineFor(name).skip).find((reason) => reason !== undefined) ?? false
}

/** The engines that all tests share, under names that no other test has. */
export function sharedEngines(engines: readonly (typeof withKafka)[number][]): EngineSettings {
  const name = `t${randomBytes(6).toString('hex')}`
  const url = (engine: (typeof withKafka)[number]) => engineFor(engine).url!
  return {
    'engines.redis.url': url('redis'),
    'engines.redis.prefix': name,
    'engines.redis.shards': 8,
    'engines.opensearch.urls': [url('opensearch')],
    'engines.opensearch.prefix': name,
    'engines.opensearch.replicas': 0,
    'engines.s3.endpoint': url('s3'),
    'engines.s3.bucket': name,
    'engines.s3.forcePathStyle': true,
    ...(engines.includes('kafka') && {
      'engines.kafka.brokers': url('kafka').split(','),
      'engines.kafka.prefix': name,
      'engines.kafka.partitions': { high: 2, medium: 4, low: 8, pages: 8 },
    }),
  }
}

/** A fleet whose workers are processes of their own, working on a crawl of a test web. */
export class TestFleet implements AsyncDisposable {
  readonly fleet: Fleet
  readonly crawl = 'web'
  readonly #configFile: string
  readonly #stack: AsyncDisposableStack
  #workers = 0

  private constructor(fleet: Fleet, configFile: string, stack: AsyncDisposableStack) {
    this.fleet = fleet
    this.#configFile = configFile
    this.#stack = stack
  }

  static async start(web: RemoteWeb, engines: EngineSettings, settings: Record<string, unknown>): Promise<TestFleet> {
    await using stack = new AsyncDisposableStack()
    const scratch = stack.use(scratchFolder())
    const { config, given } = loadConfig({
      overrides: {
        ...{ 'dns.servers': [web.dns], 'fetch.caCertificates': [web.caFile], allowPrivate: ['*'] },
        ...withoutProbes,
        ...engines,
        ...settings,
      },
    })
    const configFile = join(scratch.path, 'fleet.json')
    writeFileSync(configFile, JSON.stringify(given))
    await createBucket(config)
    const fleet = stack.use(await connectFleet(config))
    await fleet.crawls.create('web', { seeds: web.seeds, config: withoutEngines(given), createdAt: Date.now() })
    return new TestFleet(fleet, configFile, stack.move())
  }

  worker(...args: readonly string[]): FleetProcess {
    const log = join(dirname(this.#configFile), `worker-${this.#workers++}.jsonl`)
    const own = ['--config', this.#configFile, '--threads', '0', '--log', log, '--log-level', 'debug']
    return this.#stack.use(new FleetProcess(['worker', ...own, ...args], log))
  }

  orchestrator(...args: readonly string[]): FleetProcess {
    return this.#stack.use(new FleetProcess(['serve', '--config', this.#configFile, ...args]))
  }

  async state(): Promise<CrawlState> {
    return (await this.fleet.crawls.get(this.crawl))!.state
  }

  /** Resolves when the crawl has come to its end by itself. */
  async finished(): Promise<void> {
    while ((await this.state()) === 'running') await this.fleet.clock.sleep(100)
  }

  reader(): Promise<FleetReader> {
    return openFleetReader(this.fleet, this.crawl)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

async function createBucket({ engines: { s3 } }: Config): Promise<void> {
  using connection = s3Connection(s3, systemClock())
  await connection.client.send(new CreateBucketCommand({ Bucket: s3.bucket }))
}
