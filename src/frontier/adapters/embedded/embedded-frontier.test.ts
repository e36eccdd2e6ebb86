import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Clock } from '../../../clock.ts'
import { openDatabase } from '../../../embedded/database.ts'
import { openFacts } from '../../../embedded/facts.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../../url/keys.ts'
import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
import type { Candidate } from '../../frontier.ts'
import { frontierOn } from './test-frontier.ts'

frontierConformance('embedded', openUnderTest)

for (const jumpMs of [86_400_000, 0, -86_400_000])
  test(`a clock that moves by ${jumpMs} ms between two runs shortens no gap and prolongs no wait`, async () => {
    await using under = await openUnderTest()
    const [host, url] = ['a.test' as HostKey, 'http://a.test/' as CanonicalUrl]
    await under.frontier.offer([{ url, host, band: 'high', depth: 0, parent: null, redirects: 0 }])
    const [lease] = (await under.frontier.lease(1, 1)).leases
    await under.frontier.release(lease!, { touchedMsAgo: 0, pace: lease!.pace })
    await under.reopen(jumpMs)
    under.advance(999)
    assert.equal((await under.frontier.lease(1, 1)).leases.length, 0)
    under.advance(1)
    assert.equal((await under.frontier.lease(1, 1)).leases.length, 1)
  })

test('a filter of a database that lost its end is never used again, not even after a crash', async (t) => {
  const fingerprint = await loadFingerprint()
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-frontier-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [file, filter] = [join(folder, 'crawl.sqlite'), join(folder, 'seen.bloom')]
  const offer = async (from: number, count: number, end: 'close' | 'crash') => {
    using database = openDatabase(file)
    const frontier = frontierOn(database, fingerprint, undefined, filter)
    const answers = await frontier.offer(Array.from({ length: count }, (_, n) => page(from + n)))
    await frontier.sync()
    if (end === 'close') await frontier[Symbol.asyncDispose]()
    return answers
  }
  const page = (n: number): Candidate => {
    const host = 'a.test' as HostKey
    return { url: `http://a.test/${n}` as CanonicalUrl, host, band: 'high', depth: 0, parent: null, redirects: 0 }
  }
  await offer(0, 10, 'close')
  cpSync(file, join(folder, 'earlier.sqlite'))
  await offer(10, 10, 'close')
  cpSync(join(folder, 'earlier.sqlite'), file)
  await offer(100, 20, 'crash')
  storeFingerprints(file, fingerprint)
  assert.ok((await offer(100, 20, 'close')).every((answer) => answer === 'known'))
})

/** Moves all URLs to the exact set on disk, as a crawl does once there are many: the filter alone knows them then. */
function storeFingerprints(file: string, fingerprint: (url: string) => number): void {
  using database = openDatabase(file)
  database.write()
  const insert = database.prepare('INSERT INTO seen VALUES (?, ?)')
  const rows = database.prepare('SELECT id, url FROM url').all()
  for (const { id, url } of rows) insert.run(fingerprint(url as string), id as number)
  openFacts(database).set('seen.storedThrough', rows.length)
}

interface EmbeddedUnderTest extends FrontierUnderTest {
  /** The wall clock may jump meanwhile; time goes on from where it stood, as `systemClock` sees to. */
  reopen(jumpMs?: number): Promise<void>
}

async function openUnderTest(): Promise<EmbeddedUnderTest> {
  const fingerprint = await loadFingerprint()
  const folders: string[] = []
  const newFolder = () => folders[folders.push(mkdtempSync(join(tmpdir(), 'orbweaver-frontier-'))) - 1]!
  let now = 1_700_000_000_000
  const clock: Clock = { now: () => now, sleep: async () => {} }

  const open = (folder: string) => {
    const database = openDatabase(join(folder, 'crawl.sqlite'), { commitEveryMs: 3_600_000 })
    const frontier = frontierOn(database, fingerprint, clock, join(folder, 'seen.bloom'))
    return { database, frontier, folder }
  }
  let current = open(newFolder())
  const abandoned: Disposable[] = []

  return {
    get frontier() {
      return current.frontier
    },
    advance(ms) {
      now += ms
    },
    async reopen(jumpMs = 0) {
      await current.frontier[Symbol.asyncDispose]()
      current.database[Symbol.dispose]()
      now += Math.max(0, jumpMs)
      current = open(current.folder)
    },
    async crash() {
      // The files as a killed process leaves them: copied while the group of writes is still open.
      const folder = newFolder()
      cpSync(current.folder, folder, { recursive: true })
      abandoned.push(current.database)
      current = open(folder)
    },
    async [Symbol.asyncDispose]() {
      await current.frontier[Symbol.asyncDispose]()
      for (const database of [current.database, ...abandoned]) database[Symbol.dispose]()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}
