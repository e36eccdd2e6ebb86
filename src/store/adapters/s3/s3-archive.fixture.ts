import { randomUUID } from 'node:crypto'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { engineFor } from '../../../../test/engines.ts'
import { type Clock, systemClock } from '../../../clock.ts'
import { type S3Config, s3Config } from '../../../engines/s3/config.ts'
import { type S3Connection, s3Connection } from '../../../engines/s3/connect.ts'
import { type ObjectStore, objectStore } from '../../../engines/s3/objects.ts'
import type { Exchange } from '../../../fetch/outcome.ts'
import { sha256Hex } from '../../archive.conformance.ts'
import { type StoreConfig, storeConfig } from '../../config.ts'
import type { WarcPlace } from '../../url-record.ts'
import { reapSegments } from './reap-segments.ts'
import { openS3Archive, openS3ArchiveReader } from './s3-archive.ts'

const engine = engineFor('s3')

/** Why tests that need S3 do not run, or `false`. */
export const skip: string | false = engine.skip ?? false

/** Time that does not pass by itself: waiting costs nothing, and moves it on. */
export function leapingClock(now = Date.UTC(2025, 0, 31, 12)): Clock & { now: () => number; waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    async sleep(ms) {
      waits.push(ms)
      now += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const bystanders = new Map<string | null, S3Connection>()

/** A bucket of its own in which tests open archives, kill them and reap. */
export class ArchiveBucket {
  readonly bucket: string
  readonly crawl = 'test'
  readonly places = new Map<string, WarcPlace>()
  private readonly settings: S3Config
  private workers = 0

  private constructor(settings: S3Config) {
    this.settings = settings
    this.bucket = settings.bucket
  }

  static async create(changes: Partial<S3Config> = {}): Promise<ArchiveBucket> {
    const created = ArchiveBucket.existing(`orbweaver-test-${randomUUID()}`, changes)
    const { connection } = created.objects()
    await connection.client.send(new CreateBucketCommand({ Bucket: created.bucket }))
    return created
  }

  static existing(bucket: string, changes: Partial<S3Config> = {}): ArchiveBucket {
    const here = { endpoint: engine.url, bucket, prefix: 'p/', forcePathStyle: true }
    return new ArchiveBucket(s3Config.parse({ ...here, ...changes }))
  }

  /** `endpoint`: another way to the same engine, such as through a proxy. */
  connect(changes: Partial<S3Config> = {}, clock: Clock = systemClock()): S3Connection {
    return s3Connection({ ...this.settings, ...changes }, clock)
  }

  /** As readers and bystanders reach it, over connections that all buckets share. */
  objects(): ObjectStore {
    const { endpoint } = this.settings
    const connection = bystanders.get(endpoint) ?? this.connect()
    bystanders.set(endpoint, connection)
    return objectStore({ ...connection, bucket: this.bucket, composeBy: this.settings.composeBy })
  }

  /** A worker with its archive. Whoever does not close it has killed it. */
  open({
    objects = this.objects(),
    worker = `w${++this.workers}`,
    spoolMib = 64,
    clock = leapingClock(),
    ...config
  }: OpenChanges = {}) {
    const opened = openS3Archive({
      ...{ objects, worker, spoolMib, clock, crawl: this.crawl },
      config: storeConfig.parse(config),
      about: { software: 'orbweaver/0.0.0-test', robots: 'obey' },
      findOriginal: async (url, fetchedAt) => this.places.get(`${url} ${fetchedAt}`),
    })
    return { ...opened, worker, store: this.#storing(opened.archive) }
  }

  reader(objects = this.objects()) {
    return openS3ArchiveReader(objects, this.crawl, storeConfig.parse({}))
  }

  reap(alive: readonly string[] = [], objects = this.objects()) {
    return reapSegments(objects, { isAlive: (worker) => alive.includes(worker) })
  }

  remember(exchange: Exchange, place: WarcPlace): void {
    this.places.set(`${exchange.url} ${exchange.startedAt}`, place)
  }

  async keys(prefix = '', objects = this.objects()): Promise<string[]> {
    return (await Array.fromAsync(objects.list(prefix))).map(({ key }) => key)
  }

  #storing(archive: ReturnType<typeof openS3Archive>['archive']) {
    return async (exchange: Exchange, original?: Exchange): Promise<WarcPlace> => {
      const revisitOf = original && { url: original.url, fetchedAt: original.startedAt }
      const place = await archive.append(exchange, sha256Hex(exchange.rawBody), revisitOf)
      this.remember(exchange, place)
      return place
    }
  }
}

interface OpenChanges extends Partial<StoreConfig> {
  readonly objects?: ObjectStore
  readonly worker?: string
  readonly spoolMib?: number
  readonly clock?: Clock
}
