import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratchFolder } from './crawl-of-web.ts'
import { CrawlProcess, orbweaver } from './processes.ts'
import { folderFor, startWeb } from './remote-crawl.ts'

test('a second process on a folder is turned away in one sentence, and let in once the first was killed', async () => {
  // So many that on a busy machine the first has not come to its end before the second has begun.
  await using internet = await startWeb({ hosts: [{ character: 'polite', pages: 12 }] })
  using scratch = scratchFolder()
  const { path } = folderFor(internet, scratch.path, { 'politeness.delayMs': 1000 })
  const resume = () => orbweaver(['resume', '--json', '--out', path])

  await using first = new CrawlProcess(path)
  await first.open()
  assert.deepEqual(await resume(), {
    code: 2,
    stdout: '',
    stderr: `A crawl is running in ${path}. Wait for it or stop it first.\n`,
  })
  const { code, stdout } = await orbweaver(['status', '--json', '--out', path])
  assert.equal(code, 0, 'readers are let in')
  assert.match(stdout, /"queued":/)
  await first.kill()
  assert.equal((await resume()).code, 0)
})
