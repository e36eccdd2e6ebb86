import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Clock } from '../../../clock.ts'
import { openDatabase } from '../../../embedded/database.ts'
import { type CanonicalUrl, type HostKey, loadFingerprint } from '../../../url/keys.ts'
import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
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
