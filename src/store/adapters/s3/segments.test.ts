import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { objectStore } from '../../../engines/s3/objects.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import { ArchiveBucket, leapingClock, skip } from './s3-archive.fixture.ts'
import { assertSound } from './sound-segments.fixture.ts'

const MIB = 1024 * 1024

describe('segments', { skip }, () => {
  it('begin anew when one is full, and each day', async () => {
    const bucket = await ArchiveBucket.create()
    const clock = leapingClock(Date.UTC(2025, 0, 31, 23, 59, 59))
    const { store, archive } = bucket.open({ clock, warcFileMib: 0.05 })
    const headers = [['Content-Type', 'image/png']] as const
    const files = new Set<string>()
    for (let i = 0; i < 4; i++) files.add((await store(exchangeOf(`/${i}`, randomBytes(30_000), { headers }))).file)
    await clock.sleep(1000)
    files.add((await store(exchangeOf('/next-day', 'x'))).file)
    await archive[Symbol.asyncDispose]()
    assert.equal(files.size, 5)
    assert.deepEqual(
      [...files].map((file) => file.slice(0, 27)),
      [...Array(4).fill('crawl=test/date=2025-01-31/'), 'crawl=test/date=2025-02-01/'],
    )
    assert.deepEqual(
      (await bucket.keys('crawl=')).filter((key) => key.endsWith('.warc.gz')),
      [...files],
    )
    await assertSound(bucket)
  })

  it('of a day that is over are sealed, also by a worker that has nothing to do', async () => {
    const bucket = await ArchiveBucket.create()
    const clock = leapingClock(Date.UTC(2025, 0, 31, 23, 59, 59))
    const { store, archive, segments } = bucket.open({ clock })
    const { file } = await store(exchangeOf('/a', 'text'))
    await archive.flush()
    await clock.sleep(1000)
    await archive.flush()
    while ((await bucket.keys('growing/')).length > 0) await setImmediate()
    assert.deepEqual(
      (await Array.fromAsync(segments())).map((one) => [one.file, one.sealed]),
      [[file, true]],
    )
  })

  it('are put together by copy, or by upload in parts of equal size, from the same bytes', async () => {
    for (const composeBy of ['copy', 'upload'] as const) {
      const bucket = await ArchiveBucket.create({ composeBy })
      const { store, archive } = bucket.open()
      const headers = [['Content-Type', 'image/png']] as const
      const bodies = [100, 9 * MIB, 2000, 2000, 5 * MIB, 4 * MIB, 70].map((bytes) => randomBytes(bytes))
      const places = []
      for (const [i, body] of bodies.entries()) {
        places.push(await store(exchangeOf(`/${i}`, body, { headers })))
        if (i % 2 === 0) await archive.flush()
      }
      await archive[Symbol.asyncDispose]()
      for (const [i, place] of places.entries()) assert.ok((await bucket.reader().read(place))?.body.equals(bodies[i]!))
      await assertSound(bucket)
    }
  })

  it('wait for no flush when much has gathered', async () => {
    const bucket = await ArchiveBucket.create()
    const { store } = bucket.open({ archiveBufferMib: 0.1 })
    const headers = [['Content-Type', 'image/png']] as const
    const place = await store(exchangeOf('/a', randomBytes(200_000), { headers }))
    const { read } = bucket.reader(objectStore(bucket.connect()))
    let found = await read(place)
    for (let i = 0; i < 500 && !found; i++) found = await read(place)
    assert.equal(found?.body.length, 200_000)
  })

  it('refuse ids that could lead elsewhere', async () => {
    const bucket = await ArchiveBucket.create()
    assert.throws(() => bucket.open({ worker: '../x' }), { name: 'UsageError' })
  })
})
