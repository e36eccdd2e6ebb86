import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import type { RemoteWeb } from '../web/remote.ts'
import { faultsIn } from './audit.ts'
import { orbweaver } from './processes.ts'
import { expectedOf, folderFor, impatient, startWeb } from './remote-crawl.ts'
import { mountSmallDisk } from './small-disk.ts'

const web = {
  seed: 'disk',
  hosts: [
    { character: 'polite', name: 'shop', count: 5, pages: 30, ballastBytes: 4000 },
    { character: 'mirrors', name: 'mirror', count: 2, pages: 15 },
    { character: 'duplicates', pages: 10 },
    { character: 'dead-links', pages: 10 },
  ],
} as const
const roomKib = 64 * 1024

/** A size for each that meets the wall first. */
const disks = [
  { full: 'the shared memory of the database', kib: 16, expectedUrls: 1000 },
  { full: 'its tables', kib: 200, expectedUrls: 1000 },
  { full: 'the first pages', kib: 600, expectedUrls: 1000 },
  { full: 'later pages', kib: 1300, expectedUrls: 1000 },
]

test('a full disk ends a crawl with one sentence, and with more room it goes on to its exact end', async (t) => {
  await using internet = await startWeb(web)
  for (const disk of disks) await t.test(`no room for ${disk.full}`, (t) => fillUp(internet, disk, t))
})

test('a disk that has no room for the filter alone ends no crawl: the file only saves time at the next opening', async (t) => {
  await using internet = await startWeb(web)
  using disk = mountSmallDisk(8000)
  if (!disk) return t.skip('this user may not mount a small disk')
  const folder = folderFor(internet, disk.path, { ...impatient, 'frontier.expectedUrls': 10_000_000 })
  const run = await orbweaver(['resume', '--json', '--out', folder.path])
  assert.deepEqual([run.code, run.stderr], [0, ''])
  assert.deepEqual(existsSync(folder.filter), false)
  assert.deepEqual(await faultsIn(folder, await expectedOf(internet)), [])
})

async function fillUp(
  internet: RemoteWeb,
  { kib, expectedUrls }: (typeof disks)[number],
  t: TestContext,
): Promise<void> {
  using disk = mountSmallDisk(kib)
  if (!disk) return t.skip('this user may not mount a small disk')
  const folder = folderFor(internet, disk.path, { ...impatient, 'frontier.expectedUrls': expectedUrls })

  const full = await orbweaver(['resume', '--json', '--out', folder.path])
  assert.equal(full.code, 1)
  assert.match(full.stderr, /^No space left for \S+ Free some and run [^\n]*`orbweaver resume`[^\n]*\n$/)

  disk.resize(roomKib)
  const whole = await orbweaver(['resume', '--json', '--out', folder.path])
  assert.deepEqual([whole.code, whole.stderr], [0, ''])
  assert.deepEqual(await faultsIn(folder, await expectedOf(internet)), [])
}
