import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { engineFor } from '../../../../test/engines.ts'
import { random } from '../../../../test/web/random.ts'
import { FaultyProxy, type Mishap } from '../../../engines/s3/faulty-proxy.fixture.ts'
import { objectStore } from '../../../engines/s3/objects.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveBucket, leapingClock, skip } from './s3-archive.fixture.ts'
import { assertSound } from './sound-segments.fixture.ts'

const MIB = 1024 * 1024
const picture = (path: string, bytes: number) =>
  exchangeOf(path, randomBytes(bytes), { headers: [['Content-Type', 'image/png']] })

/** A bucket whose workers reach it through a proxy; readers of the test go straight. */
async function behindProxy() {
  const proxy = new FaultyProxy(engineFor('s3').url ?? '')
  const bucket = await ArchiveBucket.create()
  const clock = leapingClock()
  const connection = bucket.connect({ endpoint: await proxy.start() }, clock)
  return { proxy, bucket, clock, objects: objectStore(connection) }
}

/** Keeps exchanges, and answers their places with their bodies once they are flushed. */
async function keep(worker: ReturnType<ArchiveBucket['open']>, sizes: readonly number[]) {
  const kept: [WarcPlace, Buffer][] = []
  for (const [i, bytes] of sizes.entries()) {
    const exchange = picture(`/${i}`, bytes)
    kept.push([await worker.store(exchange), exchange.rawBody])
    if (i % 3 === 0) await worker.archive.flush()
  }
  await worker.archive.flush()
  return kept
}

async function assertKept(bucket: ArchiveBucket, kept: readonly [WarcPlace, Buffer][]): Promise<void> {
  const { read } = bucket.reader()
  for (const [place, body] of kept) assert.ok((await read(place))?.body.equals(body))
}

describe('an archive whose S3 fails', { skip }, () => {
  it('loses nothing and keeps nothing twice, whatever goes wrong with four requests of ten', async () => {
    const { proxy, bucket, clock, objects } = await behindProxy()
    await using _ = proxy
    const luck = random('faults')
    const mishaps: Mishap[] = ['error', 'slow-down', 'bad-gateway', 'cut-before', 'answer-lost', 'cut-within']
    proxy.mishap = () => (luck.chance(0.4) ? luck.pick(mishaps) : 'none')
    const worker = bucket.open({ objects, clock, warcFileMib: 6 })
    const kept = await keep(worker, [...Array(20).fill(3000), 5.5 * MIB, 100, 100, MIB, ...Array(10).fill(200)])
    await assertKept(bucket, kept)
    await worker.archive[Symbol.asyncDispose]()
    await assertKept(bucket, kept)
    assert.deepEqual(await bucket.keys('growing/'), [])
    await assertSound(bucket)
    const lines = (await bucket.keys('crawl=')).filter((key) => key.endsWith('.cdxj'))
    const entries = await Promise.all(
      lines.map(async (key) => (await bucket.objects().get(key))?.toString().split('\n')),
    )
    assert.equal(entries.flat().filter((line) => line !== '').length, kept.length)
    assert.ok(clock.waits.length > 10)
  })

  it('is also reaped through all that', async () => {
    const { proxy, bucket, objects } = await behindProxy()
    await using _ = proxy
    const kept = await keep(bucket.open(), Array(12).fill(3000))
    let count = 0
    proxy.mishap = () => (['answer-lost', 'none', 'error', 'cut-before', 'none'] as const)[count++ % 5]!
    await bucket.reap([], objects)
    await assertKept(bucket, kept)
    await assertSound(bucket)
  })

  it('waits 1, 2, 4, then 5 s between attempts, and goes on when S3 is back', async () => {
    const { proxy, bucket, clock, objects } = await behindProxy()
    await using _ = proxy
    const worker = bucket.open({ objects, clock })
    proxy.mishap = () => (clock.waits.length < 6 ? 'error' : 'none')
    const kept = await keep(worker, [100])
    assert.deepEqual(clock.waits, [1000, 2000, 4000, 5000, 5000, 5000])
    await assertKept(bucket, kept)
  })

  it('ends with one sentence when S3 is away for longer than its patience', async () => {
    const bucket = await ArchiveBucket.create()
    const clock = leapingClock()
    const connection = bucket.connect({ endpoint: await gone(), patienceMs: 60_000 }, clock)
    const worker = bucket.open({ objects: objectStore(connection), clock })
    await worker.store(exchangeOf('/a', 'text'))
    const away = { name: 'S3Error', message: /^S3 bucket \S+ at \S+ has been away for 60 s \(.*\); start again when/ }
    await assert.rejects(worker.archive.flush(), away)
    await assert.rejects(worker.archive.flush(), away)
    await assert.rejects(worker.store(exchangeOf('/b', 'text')), away)
    await assert.rejects(async () => worker.archive[Symbol.asyncDispose](), away)
  })

  it('lets appending wait when memory is full, and forgets nothing', async () => {
    const { proxy, bucket, clock, objects } = await behindProxy()
    await using _ = proxy
    const worker = bucket.open({ objects, clock, archiveBufferMib: 0.5, spoolMib: 0.5 })
    const { promise: back, resolve: comeBack } = Promise.withResolvers<void>()
    const sleep = clock.sleep
    clock.sleep = async (ms) => {
      await back
      await sleep(ms)
    }
    let away = true
    proxy.mishap = () => (away ? 'error' : 'none')
    let appended = 0
    const all = Array.from({ length: 40 }, async (_, i) => {
      const exchange = picture(`/${i}`, MIB / 10)
      const place = await worker.store(exchange)
      appended++
      return [place, exchange.rawBody] as [WarcPlace, Buffer]
    })
    while (proxy.requests.length === 0) await setImmediate()
    for (let i = 0; i < 100; i++) await setImmediate()
    assert.equal(appended, 10)
    away = false
    comeBack()
    const kept = await Promise.all(all)
    await worker.archive.flush()
    await assertKept(bucket, kept)
  })

  it('stops at once when the bucket is gone', async () => {
    const bucket = await ArchiveBucket.create()
    const clock = leapingClock()
    const connection = bucket.connect({ bucket: 'no-such-bucket-anywhere' }, clock)
    const worker = bucket.open({ objects: objectStore(connection), clock })
    await worker.store(exchangeOf('/a', 'text'))
    await assert.rejects(worker.archive.flush(), { name: 'S3Error', message: /does not exist: create the bucket/ })
    assert.deepEqual(clock.waits, [])
  })
})

/** An address at which nobody is any more. */
async function gone(): Promise<string> {
  await using proxy = new FaultyProxy('http://a:b@127.0.0.1')
  return await proxy.start()
}
