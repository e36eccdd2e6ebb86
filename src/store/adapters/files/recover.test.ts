import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { exchangeOf } from '../../archive.conformance.ts'
import { indexPartPath, indexPath } from '../../cdxj-index.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveFolder } from './file-archive.fixture.ts'

const page = (n: number) => exchangeOf(`/page-${n}`, `text ${n} `.repeat(100))

async function stored(folder: ArchiveFolder, count: number): Promise<readonly WarcPlace[]> {
  const opened = folder.open()
  const places: WarcPlace[] = []
  for (let n = 0; n < count; n++) places.push(await opened.store(page(n)))
  await opened.archive.flush()
  return places
}

describe('a file archive after a crash', () => {
  it('has nothing that was written but not committed, and goes on in the same file', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const kept = await opened.store(page(1))
    await opened.archive.flush()
    const uncommitted = await opened.store(page(2))
    assert.ok(await opened.archive.read(uncommitted), 'its bytes are on file by now')
    using after = folder.killed()
    await opened.close()
    assert.ok(statSync(after.path(kept)).size > kept.offset + kept.length)

    const again = after.open()
    assert.deepEqual(again.lost, [])
    assert.equal(statSync(after.path(kept)).size, kept.offset + kept.length)
    const next = await again.store(page(3))
    assert.equal(next.file, kept.file)
    assert.equal((await again.archive.read(kept))?.url, page(1).url)
    assert.equal((await again.archive.read(next))?.url, page(3).url)
    await again.close()
    const text = gunzipSync(readFileSync(after.path(kept))).toString()
    assert.ok(!text.includes('/page-2 HTTP'))
    assert.deepEqual(indexedUrls(after, kept), [page(1).url, page(3).url])
  })

  it('loses only the last record, wherever its member was torn', async () => {
    using folder = new ArchiveFolder()
    const [first, last] = (await stored(folder, 2)) as [WarcPlace, WarcPlace]
    const request = first.offset + first.length
    const end = last.offset + last.length
    const cuts = [request, request + 1, last.offset - 1, last.offset, last.offset + 1, end - 9, end - 8, end - 1]
    for (let cut = request + 20; cut < end; cut += 47) cuts.push(cut)
    for (const cut of cuts) {
      using torn = folder.killed()
      truncateSync(torn.path(first), cut)
      const opened = torn.open()
      const fromOffset = cut < last.offset ? request : last.offset
      assert.deepEqual(opened.lost, [{ file: first.file, fromOffset, toOffset: last.offset + last.length }])
      assert.equal(statSync(torn.path(first)).size, fromOffset)
      assert.equal((await opened.archive.read(first))?.url, page(0).url)
      assert.equal(await opened.archive.read(last), undefined)
      await opened.close()
      assert.deepEqual(indexedUrls(torn, first), [page(0).url])
    }
  })

  it('finds every single damaged byte of what the disk had not confirmed', async () => {
    using folder = new ArchiveFolder()
    const [first, last] = (await stored(folder, 2)) as [WarcPlace, WarcPlace]
    for (let at = last.offset; at < last.offset + last.length; at += 13) {
      // Time, extra flags and system in the gzip header carry nothing that a checksum covers.
      if (at >= last.offset + 4 && at < last.offset + 10) continue
      using damaged = folder.killed()
      const bytes = readFileSync(damaged.path(first))
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at)
      writeFileSync(damaged.path(first), bytes)
      const opened = damaged.open()
      assert.deepEqual(
        opened.lost,
        [{ file: first.file, fromOffset: last.offset, toOffset: last.offset + last.length }],
        `byte ${at}`,
      )
      await opened.close()
    }
  })

  it('never stores another record where one was lost', async () => {
    using folder = new ArchiveFolder()
    const [first, last] = (await stored(folder, 2)) as [WarcPlace, WarcPlace]
    using torn = folder.killed()
    truncateSync(torn.path(first), last.offset + 3)
    const opened = torn.open()
    const next = await opened.store(page(9))
    assert.notEqual(next.file, first.file)
    assert.equal(await opened.archive.read(last), undefined)
    await opened.close()
  })

  it('reports what was lost at every opening until told that it was dealt with', async () => {
    using folder = new ArchiveFolder()
    const [first] = (await stored(folder, 2)) as [WarcPlace]
    using torn = folder.killed()
    truncateSync(torn.path(first), first.offset + first.length)
    const once = torn.open()
    await once.close()
    const twice = torn.open()
    assert.equal(twice.lost.length, 1)
    twice.forgetLost()
    using undone = torn.killed()
    await twice.close()
    const uncommitted = undone.open()
    assert.equal(uncommitted.lost.length, 1, 'forgetting counts only once committed')
    await uncommitted.close()
    const last = torn.open()
    assert.deepEqual(last.lost, [])
    await last.close()
  })

  it('cuts a garbage tail', async () => {
    using folder = new ArchiveFolder()
    const [first, last] = (await stored(folder, 2)) as [WarcPlace, WarcPlace]
    using after = folder.killed()
    appendFileSync(after.path(first), Buffer.alloc(5000, 0x1f))
    appendFileSync(indexPartPath(after.path(first)), 'half a line {"url')
    writeFileSync(`${indexPath(after.path(first))}.tmp`, 'half an index')
    const opened = after.open()
    assert.deepEqual(opened.lost, [])
    assert.equal(statSync(after.path(first)).size, last.offset + last.length)
    await opened.close()
    assert.deepEqual(indexedUrls(after, first), [page(0).url, page(1).url])
    assert.ok(!after.files().some((name) => name.endsWith('.tmp')))
  })

  it('reports a file that is empty or gone, and begins another', async () => {
    for (const damage of [(path: string) => truncateSync(path, 0), (path: string) => rmSync(path)]) {
      using folder = new ArchiveFolder()
      const [first, last] = (await stored(folder, 2)) as [WarcPlace, WarcPlace]
      using after = folder.killed()
      damage(after.path(first))
      const opened = after.open()
      assert.deepEqual(opened.lost, [{ file: first.file, fromOffset: 0, toOffset: last.offset + last.length }])
      after.now += 1000
      const next = await opened.store(page(5))
      assert.equal((await opened.archive.read(next))?.url, page(5).url)
      await opened.close()
    }
  })

  it('sets files aside that it does not know, and deletes only empty ones', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const uncommitted = await opened.store(page(1))
    await opened.archive.read(uncommitted)
    using after = folder.killed()
    await opened.close()
    const foreign = join(after.root, '2025-01-31', 'mine.warc.gz')
    writeFileSync(foreign, 'of somebody else')
    const empty = join(after.root, '2025-01-31', 'orbweaver-20250131120000-00009.warc.gz')
    writeFileSync(empty, '')
    const again = after.open()
    assert.ok(!existsSync(after.path(uncommitted)))
    assert.ok(existsSync(`${after.path(uncommitted)}.orphan`))
    assert.ok(existsSync(foreign))
    assert.ok(!existsSync(empty))
    await again.close()
  })

  it('makes the index again when a power cut has left a hole in it', async () => {
    using folder = new ArchiveFolder()
    const [first] = (await stored(folder, 3)) as [WarcPlace]
    using after = folder.killed()
    const part = indexPartPath(after.path(first))
    const before = readFileSync(part, 'utf8')
    for (const damage of [Buffer.alloc(before.length), Buffer.alloc(3)]) {
      writeFileSync(part, damage)
      await after.open().close()
      assert.equal(readFileSync(part, 'utf8'), before)
    }
  })

  it('finds damage near the end of a file that was closed in order', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const first = await opened.store(page(1))
    const last = await opened.store(page(2))
    await opened.close()
    flip(folder.path(last), last.offset + 50)
    const again = folder.open()
    assert.deepEqual(again.lost, [{ file: last.file, fromOffset: last.offset, toOffset: last.offset + last.length }])
    assert.equal((await again.archive.read(first))?.url, page(1).url)
    await again.close()
  })

  it('does not read again what the disk has confirmed long ago', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const place = await opened.store(page(1))
    for (let n = 2; n < 8; n++)
      await opened.store(exchangeOf(`/page-${n}`, randomBytes(1024 * 1024).toString('base64')))
    const last = await opened.store(page(8))
    await opened.close()
    flip(folder.path(place), place.offset + 50)
    const again = folder.open()
    assert.deepEqual(again.lost, [])
    assert.equal(await again.archive.read(place), undefined, 'but reading the page notices')
    assert.equal((await again.archive.read(last))?.url, page(8).url)
    await again.close()
  })

  it('is not led astray by an index whose offsets are wrong', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    for (let n = 2; n < 8; n++)
      await opened.store(exchangeOf(`/page-${n}`, randomBytes(1024 * 1024).toString('base64')))
    const last = await opened.store(page(8))
    await opened.close()
    const part = indexPartPath(folder.path(last))
    writeFileSync(part, readFileSync(part, 'utf8').replaceAll(/"offset":"(\d+)\d"/g, '"offset":"$17"'))
    const again = folder.open()
    assert.deepEqual(again.lost, [])
    await again.close()
  })
})

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  writeFileSync(path, bytes)
}

function indexedUrls(folder: ArchiveFolder, place: WarcPlace): readonly string[] {
  const lines = readFileSync(indexPath(folder.path(place)), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))).url).sort()
}
