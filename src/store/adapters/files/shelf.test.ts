import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { StorageError } from '../../../embedded/storage-error.ts'
import { exchangeOf } from '../../archive.conformance.ts'
import { indexPath } from '../../cdxj-index.ts'
import type { WarcPlace } from '../../url-record.ts'
import { ArchiveFolder } from './file-archive.fixture.ts'

const KIB = 1 / 1024
/** Bytes that do not deflate, so that sizes are known. */
const noise = (n: number, bytes = 10_000) =>
  exchangeOf(`/noise-${n}`, Buffer.alloc(bytes, n), { headers: [['Content-Type', 'image/png']] })

describe('the files of an archive', () => {
  it('are named after the moment of their beginning, in a folder for each day', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const place = await opened.store(noise(1))
    assert.equal(place.file, '2025-01-31/orbweaver-20250131120000-00001.warc.gz')
    await opened.close()
  })

  it('are not made before there is something to store', async () => {
    using folder = new ArchiveFolder()
    await folder.open().close()
    assert.throws(() => statSync(folder.root))
  })

  it('roll over before they exceed their size, sealed with a sorted index', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ warcFileMib: 64 * KIB })
    const places: WarcPlace[] = []
    for (let n = 0; n < 20; n++) places.push(await opened.store(noise(n)))
    const files = [...new Set(places.map((place) => place.file))]
    assert.ok(files.length >= 3)
    for (const file of files.slice(0, -1)) {
      assert.ok(statSync(folder.path({ file })).size <= 64 * 1024 + 2048)
      const lines = readFileSync(indexPath(folder.path({ file })), 'utf8')
        .trimEnd()
        .split('\n')
      assert.deepEqual(lines, lines.toSorted())
      assert.equal(lines.length, places.filter((place) => place.file === file).length)
    }
    await opened.close()
    assert.deepEqual(folder.files().filter((name) => name.endsWith('.part')).length, 1, 'only the open file keeps one')
    const again = folder.open()
    for (const [n, place] of places.entries()) assert.equal((await again.archive.read(place))?.url, noise(n).url)
    await again.close()
  })

  it('survive a kill between roll-over and commit', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ warcFileMib: 32 * KIB })
    const kept = await opened.store(noise(1))
    await opened.archive.flush()
    let last = kept
    for (let n = 2; last.file === kept.file; n++) last = await opened.store(noise(n))
    await opened.archive.read(last)
    using after = folder.killed()
    await opened.close()
    const again = after.open({ warcFileMib: 32 * KIB })
    assert.deepEqual(again.lost, [])
    assert.equal((await again.archive.read(kept))?.url, noise(1).url)
    assert.equal(await again.archive.read(last), undefined)
    const next = await again.store(noise(7))
    assert.equal(next.file, kept.file, 'the sealing was not committed either')
    await again.close()
  })

  it('change with the day, also while appends are under way and after a restart', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open()
    const before = await opened.store(noise(1))
    folder.now = Date.UTC(2025, 1, 1)
    const after = await Promise.all([opened.store(noise(2)), opened.store(noise(3))])
    assert.deepEqual(
      after.map((place) => place.file.slice(0, 10)),
      ['2025-02-01', '2025-02-01'],
    )
    await opened.close()
    folder.now = Date.UTC(2025, 1, 2)
    const again = folder.open()
    const third = await again.store(noise(4))
    assert.equal(third.file.slice(0, 10), '2025-02-02')
    await again.close()
    for (const place of [before, ...after, third]) assert.ok(statSync(indexPath(folder.path(place))).size > 0)
  })

  it('go on with the next name when the one before is taken', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ warcFileMib: 8 * KIB })
    const names = new Set<string>()
    for (let n = 0; n < 5; n++) names.add((await opened.store(noise(n))).file)
    assert.equal(names.size, 5, 'in the same second')
    await opened.close()
  })

  it('hold back no more in memory than configured', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ archiveBufferMib: 32 * KIB })
    let place: WarcPlace | undefined
    for (let n = 0; n < 10; n++) place = await opened.store(noise(n))
    assert.ok(statSync(folder.path(place!)).size > 60_000)
    await opened.close()
  })

  it('keep everything with powerSafe too', async () => {
    using folder = new ArchiveFolder()
    const opened = folder.open({ powerSafe: true, warcFileMib: 32 * KIB })
    const places: WarcPlace[] = []
    for (let n = 0; n < 8; n++) {
      places.push(await opened.store(noise(n)))
      await opened.archive.flush()
    }
    using after = folder.killed()
    await opened.close()
    const again = after.open()
    for (const [n, place] of places.entries()) assert.equal((await again.archive.read(place))?.url, noise(n).url)
    await again.close()
  })
})

describe('a full disk', () => {
  const mounted = smallDisk()

  it('stops the archive with a clear error and damages nothing', {
    skip: mounted ? false : 'no small file system can be mounted here',
  }, async () => {
    const folder = new ArchiveFolder(mounted)
    try {
      const ballast = join(folder.folder, 'ballast')
      writeFileSync(ballast, Buffer.alloc(300_000))
      const opened = folder.open({ archiveBufferMib: 64 * KIB })
      const kept: WarcPlace[] = []
      const fill = async () => {
        for (let n = 0; n < 1000; n++) {
          const place = await opened.store(noise(n % 200))
          if (n % 10 !== 9) continue
          await opened.archive.flush()
          kept.push(place)
        }
      }
      const isDiskFull = (error: unknown) => error instanceof StorageError && error.code === 'disk-full'
      await assert.rejects(fill, isDiskFull)
      await assert.rejects(() => opened.archive.flush(), isDiskFull, 'nor can anything be committed that counts on it')
      await assert.rejects(() => opened.store(noise(1)), isDiskFull)
      await assert.rejects(async () => opened.archive[Symbol.asyncDispose](), isDiskFull)
      opened.database[Symbol.dispose]()

      rmSync(ballast)
      const again = folder.open()
      assert.deepEqual(again.lost, [])
      assert.ok(kept.length > 0)
      for (const place of kept) assert.ok(await again.archive.read(place))
      await again.close()
    } finally {
      execFileSync('umount', ['-l', mounted!])
      rmSync(mounted!, { recursive: true })
    }
  })
})

function smallDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' })
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true })
    if (error instanceof Error && 'status' in error) return undefined
    throw error
  }
}
