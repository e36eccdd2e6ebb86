import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startS3 } from '../../../../scripts/engines/s3.ts'
import type { Clock } from '../../../clock.ts'
import { objectStore } from '../../../engines/s3/objects.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveBucket, skip } from './s3-archive.fixture.ts'
import { assertSound } from './sound-segments.fixture.ts'

/** Waits a little whatever is asked for, and never loses patience. */
const hasty: Clock = { now: () => Date.UTC(2025, 0, 31), sleep: () => setTimeout(20) }

describe('S3 itself', { skip }, () => {
  it('may be killed, restarted and paused while a worker writes', { timeout: 60_000 }, async () => {
    await using engine = await startS3()
    const bucket = await ArchiveBucket.create({ endpoint: engine.url, timeoutMs: 500 })
    const worker = bucket.open({ objects: objectStore(bucket.connect({}, hasty)), warcFileMib: 0.5, clock: hasty })
    const safe: WarcPlace[] = []
    let over = false
    const working = (async () => {
      while (!over || safe.length < 30) {
        const headers = [['Content-Type', 'image/png']] as const
        const place = await worker.store(exchangeOf(`/${safe.length}`, randomBytes(20_000), { headers }))
        await worker.archive.flush()
        safe.push(place)
      }
      await worker.archive[Symbol.asyncDispose]()
    })()
    for (let i = 0; i < 3; i++) {
      await engine.kill()
      await setTimeout(50)
      await engine.restart()
      await setTimeout(100)
    }
    process.kill(engine.pid, 'SIGSTOP')
    await setTimeout(700)
    process.kill(engine.pid, 'SIGCONT')
    over = true
    await working
    const { read } = bucket.reader()
    for (const place of safe) assert.equal((await read(place))?.body.length, 20_000)
    assert.deepEqual(await bucket.keys('growing/'), [])
    await assertSound(bucket)
  })
})
