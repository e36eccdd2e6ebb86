import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { parquetReadObjects } from 'hyparquet'
import { engineFor } from '../../../test/engines.ts'
import { s3InternalError, s3SlowDown } from '../../../test/fleet/faults/http-fault.ts'
import { HttpProxy } from '../../../test/fleet/faults/http-proxy.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { type S3Config, s3Config } from '../../engines/s3/config.ts'
import { s3Connection } from '../../engines/s3/connect.ts'
import { objectStore } from '../../engines/s3/objects.ts'
import { recordOf, scanOf } from '../record.fixture.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { openPartStore } from './open-part-store.ts'
import { DEFAULT_LIMITS } from './partitions.ts'
import { openS3Parts, s3Parts } from './s3-parts.ts'

const engine = engineFor('s3')
const start = Date.UTC(2025, 0, 1)
const records = Array.from({ length: 30 }, (_, i) =>
  recordOf(`https://e.com/${i}`, { fetchedAt: start + (i % 3) * 86_400_000 }),
)

/** Waits cost nothing. */
const leaping: Clock = {
  now: () => start,
  sleep: () => new Promise((resolve) => setImmediate(resolve)),
}

describe('export for a warehouse, to a bucket', { skip: engine.skip ?? false }, () => {
  let settings: S3Config
  before(async () => {
    const bucket = `orbweaver-test-${randomUUID()}`
    settings = s3Config.parse({ endpoint: engine.url, bucket, prefix: '', forcePathStyle: true })
    using connection = s3Connection(settings, systemClock())
    await connection.client.send(new CreateBucketCommand({ Bucket: bucket }))
  })
  const below = (prefix: string) => ({ ...settings, prefix })

  async function keysBelow(prefix: string): Promise<string[]> {
    using connection = s3Connection(below(prefix), systemClock())
    return (await Array.fromAsync(objectStore(connection).list(''))).map(({ key }) => key)
  }

  async function urlsBelow(prefix: string): Promise<string[]> {
    using connection = s3Connection(below(prefix), systemClock())
    const urls: string[] = []
    for (const key of await keysBelow(prefix)) {
      if (!key.startsWith('pages/')) continue
      const file = new Uint8Array((await objectStore(connection).get(key)) ?? []).buffer
      const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) }
      for (const { url } of await parquetReadObjects({ file, compressors })) urls.push(String(url))
    }
    return urls.sort()
  }
  const allUrls = records.map(({ url }) => String(url)).sort()

  it('writes what a folder would have, and leaves nothing on this machine', async () => {
    const destination = { kind: 'bucket', bucket: settings.bucket, prefix: 'a/b/' } as const
    let spool: string
    {
      await using store = await openPartStore(destination, 'c', () => settings)
      spool = store.spool
      await exportWarehouse(scanOf(...records), 'c', store)
    }
    assert.ok(!existsSync(spool))
    assert.deepEqual(await keysBelow('a/b/'), [
      '_exports/crawl=c.json',
      ...['links', 'pages'].flatMap((table) =>
        ['01', '02', '03'].map((day) => `${table}/crawl=c/date=2025-01-${day}/part-00000.parquet`),
      ),
    ])
    assert.deepEqual(await urlsBelow('a/b/'), allUrls)
  })

  it('repeated replaces what it wrote before', async () => {
    for (const some of [records, records.slice(0, 1)]) {
      await using store = await openS3Parts(below('again/'))
      await exportWarehouse(scanOf(...some), 'c', store, { ...DEFAULT_LIMITS, groupRows: 2, fileBytes: 100 })
    }
    assert.deepEqual(await urlsBelow('again/'), [allUrls[0]])
    assert.equal((await keysBelow('again/')).length, 3)
  })

  it('ends complete over an S3 that fails every third request, some of them after it has acted', async () => {
    await using proxy = await HttpProxy.start({ target: engine.url!, seed: 5 })
    const { username, password } = new URL(engine.url!)
    const endpoint = proxy.url.replace('//', `//${username}:${password}@`)
    await using store = await s3Parts(s3Connection({ ...below('unwell/'), endpoint }, leaping))
    for (const isLate of [false, true]) {
      const answer = isLate ? s3InternalError : s3SlowDown
      proxy.set({ kind: 'answer', answer, share: 0.33, isLate })
      await exportWarehouse(scanOf(...records), 'c', store)
    }
    assert.ok(proxy.counts.failed > 4)
    assert.deepEqual(await urlsBelow('unwell/'), allUrls)
  })

  it('brings a file of many parts, also when the answer to its last request is lost', async () => {
    await using proxy = await HttpProxy.start({ target: engine.url! })
    const { username, password } = new URL(engine.url!)
    const endpoint = proxy.url.replace('//', `//${username}:${password}@`)
    await using store = await s3Parts(s3Connection({ ...below('large/'), endpoint }, leaping))
    const content = Buffer.alloc(17 * 1024 * 1024, 'orbweaver ')
    const file = join(store.spool, 'large')
    writeFileSync(file, content)
    const isCompletion = ({ method, url = '' }: IncomingMessage) => method === 'POST' && /[?&]uploadId=/.test(url)
    let lost = 0
    proxy.set({
      ...{ kind: 'answer', answer: s3InternalError, share: 1, isLate: true },
      only: (request) => isCompletion(request) && lost++ === 0,
    })
    await store.put('file', file)
    assert.ok(lost > 0)
    assert.ok(!existsSync(file))
    using connection = s3Connection(below('large/'), systemClock())
    assert.ok((await objectStore(connection).get('file'))?.equals(content))
  })

  it('says in one sentence what is wrong with the settings', async () => {
    await assert.rejects(
      openS3Parts({ ...settings, bucket: 'no-such-bucket-here' }),
      /does not exist: create the bucket/,
    )
    await assert.rejects(openS3Parts({ ...settings, secretAccessKey: 'wrong' }), /refuses the access key/)
  })
})
