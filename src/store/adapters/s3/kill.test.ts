import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Life, mortal } from '../../../engines/s3/mortal.fixture.ts'
import { unfinishedUploads } from '../../../engines/s3/multipart.ts'
import { objectStore } from '../../../engines/s3/objects.ts'
import { gate } from '../../../gate.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveBucket, skip } from './s3-archive.fixture.ts'
import { assertSound } from './sound-segments.fixture.ts'

const large = randomBytes(5.2 * 1024 * 1024)

/** What was promised to be safe: place → body. */
type Promised = Map<WarcPlace, Buffer>

/**
 * A worker's life with everything that can happen in it: a chunk that is a part by itself, small ones that are merged, a
 * segment that is full and sealed beside the next, and the end of the crawl.
 */
async function work(bucket: ArchiveBucket, promised: Promised, lastWrite?: number) {
  const connection = bucket.connect()
  const life = mortal(connection, lastWrite)
  const worker = bucket.open({ objects: objectStore(connection), warcFileMib: 5.3 })
  const keep = async (path: string, body: Buffer) => {
    const place = await worker.store(exchangeOf(path, body, { headers: [['Content-Type', 'image/png']] }))
    await worker.archive.flush()
    promised.set(place, body)
  }
  const whole = async () => {
    await keep('/large', large)
    for (let i = 0; i < 10; i++) await keep(`/small-${i}`, Buffer.from(`small ${i}`))
    await keep('/next', randomBytes(200_000))
    await keep('/last', Buffer.from('last'))
    await worker.archive[Symbol.asyncDispose]()
  }
  await Promise.race([whole(), life.died])
  return life
}

async function assertReadable(bucket: ArchiveBucket, promised: Promised): Promise<void> {
  const { read } = bucket.reader()
  const check = async ([place, body]: [WarcPlace, Buffer]) => assert.ok((await read(place))?.body.equals(body))
  await Promise.all([...promised].map(check))
}

/** Reads one after the other, again and again, while something else goes on. */
async function assertReadableDuring(bucket: ArchiveBucket, promised: Promised, act: Promise<unknown>): Promise<void> {
  let over = false
  const ended = act.finally(() => {
    over = true
  })
  const small = [...promised].filter(([, body]) => body !== large)
  for (let i = 0; !over; i++) {
    await assertReadable(bucket, new Map(small.slice(i % small.length).slice(0, 1)))
    await setImmediate()
  }
  await ended
}

async function afterEachWrite(written: readonly string[], trial: (lastWrite: number) => Promise<void>): Promise<void> {
  const atOnce = gate(4)
  await Promise.all(written.map((_, i) => atOnce.through(() => trial(i + 1))))
}

async function reapMortally(bucket: ArchiveBucket, lastWrite?: number): Promise<Life> {
  const connection = bucket.connect()
  const life = mortal(connection, lastWrite)
  await Promise.race([bucket.reap([], objectStore(connection)), life.died])
  return life
}

async function assertReaped(bucket: ArchiveBucket): Promise<void> {
  assert.deepEqual(await bucket.keys('growing/'), [])
  assert.deepEqual(await Array.fromAsync(unfinishedUploads(bucket.connect(), '')), [])
  assert.deepEqual(await bucket.reap(), { segments: [], abortedUploads: 0 })
  await assertSound(bucket)
}

describe('all that was flushed can be read, and becomes sealed segments', { skip }, () => {
  it('when a worker is killed after any of its writes', async () => {
    const { written } = await work(await ArchiveBucket.create(), new Map())
    await afterEachWrite(written, async (lastWrite) => {
      const bucket = await ArchiveBucket.create()
      const promised: Promised = new Map()
      await work(bucket, promised, lastWrite)
      await assertReadable(bucket, promised)
      await assertReadableDuring(bucket, promised, bucket.reap())
      await assertReadable(bucket, promised)
      await assertReaped(bucket)
    })
  })

  it('when whoever reaps is killed after any of its writes', async () => {
    const { written } = await work(await ArchiveBucket.create(), new Map())
    const beforeSealing = written.indexOf('CreateMultipartUploadCommand')
    const orphan = async (promised: Promised) => {
      const bucket = await ArchiveBucket.create()
      await work(bucket, promised, beforeSealing)
      return bucket
    }
    const reaping = await reapMortally(await orphan(new Map()))
    assert.ok(reaping.written.length > 10)
    await afterEachWrite(reaping.written, async (lastWrite) => {
      const promised: Promised = new Map()
      const bucket = await orphan(promised)
      await reapMortally(bucket, lastWrite)
      await assertReadable(bucket, promised)
      await bucket.reap()
      await assertReadable(bucket, promised)
      await assertReaped(bucket)
    })
  })
})
