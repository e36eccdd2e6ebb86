import { randomBytes } from 'node:crypto'
import { exchangeOf } from '../../archive.conformance.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveBucket } from './s3-archive.fixture.ts'

/** A worker in a process of its own, which tells what is safe and writes until somebody kills it. */
const [bucketName = '', worker = ''] = process.argv.slice(2)
const { store, archive } = ArchiveBucket.existing(bucketName).open({ worker, warcFileMib: 0.2 })

for (let i = 0; ; i++) {
  const places: WarcPlace[] = []
  for (let j = 0; j < 4; j++) {
    const headers = [['Content-Type', 'image/png']] as const
    places.push(await store(exchangeOf(`/${worker}/${i}/${j}`, randomBytes(20_000), { headers })))
  }
  await archive.flush()
  process.stdout.write(`${JSON.stringify(places)}\n`)
}
