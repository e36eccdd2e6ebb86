import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { mortal } from '../../../engines/s3/mortal.fixture.ts'
import { objectStore } from '../../../engines/s3/objects.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import type { WarcPlace } from '../../url-record.ts'
import { memberStart } from '../../warc-gzip.ts'
import { bytesInS3 } from './read-segment.ts'
import { ArchiveBucket, skip } from './s3-archive.fixture.ts'
import { assertSound } from './sound-segments.fixture.ts'

type Worker = ReturnType<ArchiveBucket['open']>

/** Stores and flushes one exchange for each text. */
async function keep(worker: Worker, ...texts: readonly string[]): Promise<WarcPlace[]> {
  const places: WarcPlace[] = []
  for (const text of texts) {
    places.push(await worker.store(exchangeOf(`/${text}`, text)))
    await worker.archive.flush()
  }
  return places
}

async function assertTexts(bucket: ArchiveBucket, places: readonly WarcPlace[], texts: readonly string[]) {
  const { read } = bucket.reader()
  const textAt = async (place: WarcPlace) => (await read(place))?.body.toString()
  assert.deepEqual(await Promise.all(places.map(textAt)), texts)
}

describe('reaping', { skip }, () => {
  it('does not touch what a living worker writes', async () => {
    const bucket = await ArchiveBucket.create()
    const [living, dead] = [bucket.open(), bucket.open()]
    const before = await keep(living, 'a', 'b')
    await keep(dead, 'c')
    const { segments } = await bucket.reap([living.worker])
    assert.deepEqual(segments.length, 1)
    assert.match(segments[0]!, new RegExp(`-${dead.worker}\\.warc\\.gz$`))
    assert.equal((await bucket.keys('growing/')).length, 2)
    const after = await keep(living, 'd')
    await living.archive[Symbol.asyncDispose]()
    await assertTexts(bucket, [...before, ...after], ['a', 'b', 'd'])
    await assertSound(bucket)
  })

  it('joins what a worker writes that was thought dead', async () => {
    const bucket = await ArchiveBucket.create()
    const worker = bucket.open()
    const places = await keep(worker, 'a', 'b')
    await bucket.reap()
    places.push(...(await keep(worker, 'c')))
    await assertTexts(bucket, places, ['a', 'b', 'c'])
    await bucket.reap()
    places.push(...(await keep(worker, 'd')))
    await assertTexts(bucket, places, ['a', 'b', 'c', 'd'])
    const { file, offset, length } = places.at(-1)!
    const streamed = Buffer.concat(await Array.fromAsync(bucket.reader().stream(file)))
    assert.equal(streamed.length, offset + length)
    await worker.archive[Symbol.asyncDispose]()
    await assertTexts(bucket, places, ['a', 'b', 'c', 'd'])
    assert.deepEqual(await bucket.keys('growing/'), [])
    await assertSound(bucket)
  })

  it('may run several times at once, also while the worker itself seals', async () => {
    for (let round = 0; round < 5; round++) {
      const bucket = await ArchiveBucket.create()
      const worker = bucket.open()
      const texts = Array.from({ length: 9 }, (_, i) => `text ${i}`)
      const places = await keep(worker, ...texts)
      const reaping = [bucket.reap(), bucket.reap(), worker.archive[Symbol.asyncDispose](), bucket.reap()]
      await Promise.all(reaping)
      await bucket.reap()
      await assertTexts(bucket, places, texts)
      assert.deepEqual(await bucket.keys('growing/'), [])
      await assertSound(bucket)
    }
  })

  it('leaves what lies behind a gap where it is', async () => {
    const bucket = await ArchiveBucket.create()
    const [a, b, c] = await keep(bucket.open(), 'a', 'b', 'c')
    const [, second] = await bucket.keys('growing/')
    await bucket.objects().remove(second!)
    await bucket.reap()
    await assertTexts(bucket, [a!, c!], ['a', 'c'])
    assert.equal(await bucket.reader().read(b!), undefined)
  })
})

describe('workers killed by the system', { skip }, () => {
  it('lose nothing of what they said was safe', { timeout: 60_000 }, async () => {
    const bucket = await ArchiveBucket.create()
    const safe: WarcPlace[] = []
    for (const [i, lifeMs] of [40, 150, 400].entries()) {
      const script = new URL('./worker.fixture.ts', import.meta.url).pathname
      const child = spawn(process.execPath, [script, bucket.bucket, `child-${i}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const gone = once(child, 'exit')
      const lines = createInterface({ input: child.stdout })
      lines.on('line', (line) => safe.push(...(JSON.parse(line) as WarcPlace[])))
      await once(lines, 'line')
      await setTimeout(lifeMs)
      child.kill('SIGKILL')
      await gone
      await assertAllThere(bucket, safe)
      await bucket.reap()
    }
    await assertAllThere(bucket, safe)
    assert.ok(safe.length > 20)
    assert.deepEqual(await bucket.keys('growing/'), [])
    await assertSound(bucket)
  })
})

async function assertAllThere(bucket: ArchiveBucket, places: readonly WarcPlace[]): Promise<void> {
  const { read } = bucket.reader()
  for (const place of places) assert.equal((await read(place))?.body.length, 20_000)
}

describe('what all workers share', { skip }, () => {
  it('has a revisit refer to another worker, whose head is read once', async () => {
    const bucket = await ArchiveBucket.create()
    const text = 'the same '.repeat(5000)
    const original = exchangeOf('/original', gzipSync(text), { headers: [['Content-Encoding', 'gzip']] })
    const first = bucket.open()
    await first.store(original)
    await first.archive.flush()
    const connection = bucket.connect()
    const { read } = mortal(connection)
    const second = bucket.open({ objects: objectStore(connection) })
    const places: WarcPlace[] = []
    for (const startedAt of [1, 2, 3]) places.push(await second.store({ ...original, startedAt }, original))
    await second.archive.flush()
    assert.deepEqual(read, ['GetObjectCommand', 'ListObjectsV2Command', 'GetObjectCommand'])
    await assertTexts(bucket, places, [text, text, text])
    const records = places.map(({ file, offset, length }) => bytesInS3(bucket.objects())({ file, offset, length }))
    for (const record of await Promise.all(records)) assert.match(memberStart(record!).toString(), /WARC-Type: revisit/)
  })

  it('is listed: sealed segments with their length, growing ones with what is safe', async () => {
    const bucket = await ArchiveBucket.create()
    const [done, growing] = [bucket.open(), bucket.open()]
    const [sealedPlace] = await keep(done, 'sealed')
    await done.archive[Symbol.asyncDispose]()
    const [place] = await keep(growing, 'growing')
    await growing.store(exchangeOf('/unflushed', 'unflushed'))
    const { segments, stream } = bucket.reader()
    const listed = await Array.fromAsync(segments())
    const endOf = ({ offset, length }: WarcPlace) => offset + length
    assert.deepEqual(listed, [
      { file: sealedPlace!.file, bytes: endOf(sealedPlace!), sealed: true },
      { file: place!.file, bytes: endOf(place!), sealed: false },
    ])
    for (const { file, bytes } of listed) {
      const content = Buffer.concat(await Array.fromAsync(stream(file)))
      assert.equal(content.length, bytes)
    }
    assert.deepEqual(await Array.fromAsync(stream('crawl=x/none')), [])
  })
})

describe('the cost of an archive', { skip }, () => {
  it('is one request for each flush, and none when there is nothing new', async () => {
    const bucket = await ArchiveBucket.create()
    const connection = bucket.connect()
    const { written } = mortal(connection)
    const worker = bucket.open({ objects: objectStore(connection) })
    for (let i = 0; i < 20; i++) {
      await keep(worker, `text ${i}`)
      await worker.archive.flush()
    }
    assert.equal(written.filter((name) => name === 'PutObjectCommand').length, 20)
    await worker.archive[Symbol.asyncDispose]()
    assert.ok(written.length < 60)
  })
})
