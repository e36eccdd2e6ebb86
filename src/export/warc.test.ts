import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { committedFiles } from '../store/adapters/files/catalog.ts'
import { ArchiveFolder } from '../store/adapters/files/file-archive.fixture.ts'
import { exchangeOf } from '../store/archive.conformance.ts'
import { indexPath } from '../store/cdxj-index.ts'
import { exportWarcFiles, warcChunks } from './warc.ts'

describe('export as WARC', () => {
  it('takes what is committed while the crawl goes on, with an index for each file', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ warcFileMib: 0.02 })
    const noise = (n: number) =>
      exchangeOf(`/${n}`, Buffer.alloc(9000, n), { headers: [['Content-Type', 'image/png']] })
    for (let n = 0; n < 5; n++) await opened.store(noise(n))
    await opened.archive.flush()
    const uncommitted = await opened.store(exchangeOf('/uncommitted', 'x'))
    await opened.archive.read(uncommitted)
    const files = committedFiles(opened.database)
    assert.ok(files.length > 1)
    const target = join(folder.folder, 'exported')
    await exportWarcFiles(folder.root, files, target)
    let urls = 0
    for (const { file, bytes } of files) {
      assert.equal(statSync(join(target, file)).size, bytes)
      urls += readFileSync(indexPath(join(target, file)), 'utf8')
        .trimEnd()
        .split('\n').length
      assert.ok(!existsSync(`${indexPath(join(target, file))}.part`))
    }
    assert.equal(urls, 5)

    const chunks: Buffer[] = []
    for await (const chunk of warcChunks(folder.root, files)) chunks.push(chunk)
    const text = gunzipSync(Buffer.concat(chunks)).toString('latin1')
    assert.equal(text.match(/^WARC-Type: response/gm)?.length, 5)
    await opened.close()
  })

  it('of a crawl without archive is nothing', () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    assert.deepEqual(committedFiles(opened.database), [])
    opened.database[Symbol.dispose]()
  })
})
