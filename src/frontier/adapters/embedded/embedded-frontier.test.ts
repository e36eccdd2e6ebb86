import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../../clock.ts'
import { openDatabase } from '../../../embedded/database.ts'
import { loadFingerprint } from '../../../url/keys.ts'
import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
import { frontierOn } from './test-frontier.ts'

frontierConformance('embedded', openUnderTest)

async function openUnderTest(): Promise<FrontierUnderTest> {
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
    async reopen() {
      await current.frontier[Symbol.asyncDispose]()
      current.database[Symbol.dispose]()
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
