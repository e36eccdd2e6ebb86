import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlFolder } from '../../src/embedded/crawl-folder.ts'
import type { RemoteWeb } from '../web/remote.ts'
import { faultsIn } from './audit.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { CrawlProcess } from './processes.ts'
import { expectedOf, folderFor, impatient, startWeb } from './remote-crawl.ts'

const dayMs = 86_400_000
/** Longer than a process takes to come back. */
const delayMs = 1200

const web = {
  seed: 'clock',
  hosts: [
    { character: 'polite', name: 'patient', count: 8, pages: 3 },
    { character: 'robots-guarded', pages: 2, kinds: ['crawl-delay'], gapMs: 1200 },
    { character: 'flaky', pages: 3, kinds: ['status-503'] },
  ],
} as const

test('a wall clock that jumps by days between runs breaks no gap, holds nobody up and loses nothing', async () => {
  await using internet = await startWeb(web)
  using scratch = scratchFolder()
  const folder = folderFor(internet, scratch.path, { ...impatient, 'politeness.delayMs': delayMs })

  await runFor(internet, folder, 0, 'kill')
  await runFor(internet, folder, dayMs, 'stop')
  await runFor(internet, folder, -dayMs, 'kill')
  await runFor(internet, folder, 2 * dayMs, 'kill')
  setStoredClock(folder, Date.now() + 400 * dayMs)
  assert.equal(await runFor(internet, folder, 0, 'finish'), 'ended')

  const log = await internet.log()
  assert.deepEqual(await faultsIn(folder, await expectedOf(internet)), [])
  assert.deepEqual(await internet.violations(), { robots: [], rate: [] })
  for (let n = 1; n <= 8; n++) {
    const requests = log.filter(({ host }) => host === `patient-${n}.test`)
    for (const [i, { target, atMs }] of requests.slice(0, -1).entries()) {
      // The first page follows robots.txt after a quarter of the delay.
      const gapMs = target === '/robots.txt' ? delayMs / 4 : delayMs
      const seenMs = requests[i + 1]!.atMs - atMs
      assert.ok(seenMs > 0.75 * gapMs, `patient-${n}.test: ${seenMs} ms after ${target}`)
    }
  }
})

/** Goes on with the crawl, by a wall clock that is wrong, until some hosts were touched or there is nothing left. */
async function runFor(
  internet: RemoteWeb,
  folder: CrawlFolder,
  wrongByMs: number,
  end: 'kill' | 'stop' | 'finish',
): Promise<string | undefined> {
  const seen = (await internet.log()).length
  await using running = new CrawlProcess(folder.path, wrongClock(wrongByMs))
  await running.open()
  if (end !== 'finish') while ((await internet.log()).length < seen + 10) await sleep(20)
  if (end !== 'finish') await running[end]()
  return await running.ended()
}

/** A module to load first. */
function wrongClock(byMs: number): string {
  return `data:text/javascript,const right = Date.now; Date.now = () => right() + ${byMs}`
}

function setStoredClock(folder: CrawlFolder, at: number): void {
  using database = new DatabaseSync(folder.database)
  assert.equal(database.prepare("UPDATE fact SET value = ? WHERE name = 'clock'").run(String(at)).changes, 1)
}
