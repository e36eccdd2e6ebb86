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

/** What was promised to be safe: place → body. */
type Promised = Map<WarcPlace, Buffer>

/** The sizes decide which ways a segment takes: with a large body, one chunk is a part by itself and is copied. */
interface Story {
  readonly firstBytes: number
  readonly nextBytes: number
  readonly warcFileMib: number
}

const small: Story = { firstBytes: 3000, nextBytes: 30_000, warcFileMib: 0.04 }
const large: Story = { firstBytes: 5.2 * 1024 * 1024, nextBytes: 200_000, warcFileMib: 5.3 }

/** A worker's life: chunks that are merged, a segment that is full and sealed beside the next, the end of the crawl. */
async function work(bucket: ArchiveBucket, story: Story, promised: Promised, lastWrite?: number) {
  const connection = bucket.connect()
  const life = mortal(connection, lastWrite)
  const worker = bucket.open({ objects: objectStore(connection), warcFileMib: story.warcFileMib })
  const keep = async (path: string, bytes: number) => {
    const body = randomBytes(bytes)
    const place = await worker.store(exchangeOf(path, body, { headers: [['Content-Type', 'image/png']] }))
    await worker.archive.flush()
    promised.set(place, body)
  }
  const whole = async () => {
    await keep('/first', story.firstBytes)
    for (let i = 0; i < 10; i++) await keep(`/small-${i}`, 100 + i)
    await keep('/next', story.nextBytes)
    await keep('/last', 100)
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
  const all = [...promised]
  for (let i = 1; !over; i++) {
    await assertReadable(bucket, new Map(all.slice(i % all.length).slice(0, 1)))
    await setImmediate()
  }
  await ended
}

/** Several trials at once: each has a bucket of its own. */
async function forEach(numbers: readonly number[], trial: (lastWrite: number) => Promise<void>): Promise<void> {
  const atOnce = gate(4)
  await Promise.all(numbers.map((lastWrite) => atOnce.through(() => trial(lastWrite))))
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1)

async function reapMortally(bucket: ArchiveBucket, lastWrite?: number): Promise<Life> {
  const connection = bucket.connect()
  const life = mortal(connection, lastWrite)
  await Promise.race([bucket.reap([], objectStore(connection)), life.died])
  return life
}

async function assertReaped(bucket: ArchiveBucket): Promise<void> {
  assert.deepEqual(await bucket.keys('growing/'), [])
  assert.deepEqual(await Array.fromAsync(unfinishedUploads(bucket.objects().connection, '')), [])
  assert.deepEqual(await bucket.reap(), { segments: [], abortedUploads: 0 })
  await assertSound(bucket)
}

async function killAndReap(story: Story, lastWrite: number): Promise<void> {
  const bucket = await ArchiveBucket.create()
  const promised: Promised = new Map()
  await work(bucket, story, promised, lastWrite)
  await assertReadable(bucket, promised)
  await assertReadableDuring(bucket, promised, bucket.reap())
  await assertReadable(bucket, promised)
  await assertReaped(bucket)
}

describe('all that was flushed can be read, and becomes sealed segments', { skip }, () => {
  it('when a worker is killed after any of its writes', async () => {
    const { written } = await work(await ArchiveBucket.create(), small, new Map())
    assert.ok(written.length > 30)
    await forEach(upTo(written.length), (lastWrite) => killAndReap(small, lastWrite))
  })

  it('when a worker is killed while chunks are copied into a segment', async () => {
    const { written } = await work(await ArchiveBucket.create(), large, new Map())
    const sealing = written.indexOf('CreateMultipartUploadCommand')
    assert.equal(written[sealing + 1], 'UploadPartCopyCommand')
    const writes = upTo(written.length).slice(sealing - 1, sealing + 9)
    await forEach(writes, (lastWrite) => killAndReap(large, lastWrite))
  })

  it('when whoever reaps is killed after any of its writes', async () => {
    const { written } = await work(await ArchiveBucket.create(), small, new Map())
    const beforeSealing = written.indexOf('CreateMultipartUploadCommand')
    const orphan = async (promised: Promised) => {
      const bucket = await ArchiveBucket.create()
      await work(bucket, small, promised, beforeSealing)
      return bucket
    }
    const reaping = await reapMortally(await orphan(new Map()))
    assert.ok(reaping.written.length > 10)
    await forEach(upTo(reaping.written.length), async (lastWrite) => {
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
