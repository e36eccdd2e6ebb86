import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestWeb, type TestWeb } from '../test/web/web.ts'

const pages = 37
let web: TestWeb
let seed: string

before(async () => {
  web = await startTestWeb({
    seed: 'demo',
    hosts: [{ character: 'polite', name: 'lighthouses', topic: 'lighthouses', pages }],
  })
  seed = web.seeds[0]!
})
after(() => web[Symbol.asyncDispose]())

/** Runs an example as a person does, in an empty folder. */
async function example(name: string, args: readonly string[], folder: string): Promise<string> {
  const env = { ...process.env, ORBWEAVER_DNS_SERVERS: `["${web.dns}"]`, ORBWEAVER_POLITENESS_DELAY_MS: '0' }
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, name), ...args], {
    ...{ cwd: folder, env, maxBuffer: 1 << 26 },
  })
  return stdout
}

function folder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-example-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('titles.ts prints a title and URL for each page', async () => {
  using scratch = folder()
  const lines = (await example('titles.ts', [seed], scratch.path)).trim().split('\n')
  assert.equal(lines.length, 20)
  for (const line of lines) {
    const [url] = line.split(' ').slice(-1)
    assert.equal(line, `${web.expected().pages.get(url!)?.title} ${url}`)
  }
})

test('extract.ts gathers what its hook took from each page', async () => {
  using scratch = folder()
  const output = await example('extract.ts', [seed], scratch.path)
  assert.equal(output.match(/http:\/\/lighthouses\.test/g)?.length, 20)
  assert.match(output, /'en'/)
  assert.match(output, /^20 pages in/m)
})

test('stop-and-resume.ts sees every page once', async () => {
  using scratch = folder()
  const output = await example('stop-and-resume.ts', [seed], scratch.path)
  assert.match(output, /stopped after \d+ pages/)
  assert.match(output, new RegExp(`finished with ${pages} pages, ${pages} of them different`))
})

test('jsonl.ts writes a line of JSON for each page, and search.ts finds in the same folder', async () => {
  using scratch = folder()
  const lines = (await example('jsonl.ts', [seed], scratch.path)).trim().split('\n')
  assert.equal(lines.length, 20)
  for (const line of lines) {
    const { url, title, text } = JSON.parse(line)
    assert.ok(text.includes(web.expected().pages.get(url)?.marker), url)
    assert.equal(title, web.expected().pages.get(url)?.title)
  }
  const found = await example('search.ts', ['orbweaver-data', 'keeper'], scratch.path)
  assert.match(found, /\[[Kk]eeper/)
  assert.match(found, /http:\/\/lighthouses\.test/)
})

test('scope.ts tells what was visited and what was left out', async () => {
  using scratch = folder()
  const lines = (await example('scope.ts', [seed], scratch.path)).trim().split('\n')
  const visited = lines.filter((line) => line.startsWith('visited'))
  const leftOut = lines.filter((line) => line.startsWith('left out'))
  assert.ok(visited.length > 0 && leftOut.length > 0)
  for (const line of leftOut) assert.match(line, /\/archive\/.* exclude/)
  for (const line of visited) assert.doesNotMatch(line, /\/archive\//)
})
