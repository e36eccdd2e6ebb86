import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openDashboard } from './files.ts'
import { pages } from './paths.ts'

const dashboard = await openDashboard()
const compressed = { 'accept-encoding': 'gzip, br' }

test('every page is the same document, and what is no page is none', () => {
  const document = dashboard.answer('/', {})?.body
  for (const { path } of pages) assert.equal(dashboard.answer(path, {})?.body, document)
  for (const path of ['/nowhere', '/v1', '/app.ts', '/../package.json', '/constructor', ''])
    assert.equal(dashboard.answer(path, {}), undefined, path)
})

test('all that a page loads is under 200 KB compressed', () => {
  const files = ['/', '/app.js', '/app.css', '/icon.svg'].map((path) => dashboard.answer(path, compressed)!)
  const bytes = files.reduce((sum, { body }) => sum + body.byteLength, 0)
  assert.ok(bytes < 200_000, `${bytes} bytes`)
})

test('a file is sent in the form that was asked for, and only once to who has it', () => {
  const plain = dashboard.answer('/app.js', {})!
  const br = dashboard.answer('/app.js', { 'accept-encoding': 'br;q=1, gzip' })!
  const gzip = dashboard.answer('/app.js', { 'accept-encoding': 'gzip' })!
  assert.equal(br.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(br.body), Buffer.from(plain.body))
  assert.deepEqual(gunzipSync(gzip.body), Buffer.from(plain.body))
  const again = dashboard.answer('/app.js', { 'if-none-match': plain.headers.etag })!
  assert.deepEqual([again.status, again.body.byteLength], [304, 0])
})

test('nothing is inline and nothing comes from elsewhere', () => {
  const document = Buffer.from(dashboard.answer('/', {})!.body).toString()
  assert.doesNotMatch(document, /<style|style=|<script(?![^>]*src="\/)|\son\w+=|https?:/)
  const { 'content-security-policy': policy } = dashboard.answer('/', {})!.headers
  assert.match(policy!, /default-src 'none'/)
  assert.doesNotMatch(policy!, /unsafe|\*|https?:/)
})

test('no string becomes markup: the app never writes HTML, and the browser would refuse it', () => {
  const app = new URL('./app/', import.meta.url)
  const sources = globSync('**/*.{ts,tsx}', { cwd: app }).filter((path) => !path.endsWith('.test.ts'))
  assert.ok(sources.length > 50)
  for (const path of sources)
    assert.doesNotMatch(
      readFileSync(new URL(path, app), 'utf8'),
      /innerHTML|outerHTML|HTML\(|document\.write|srcdoc|eval\(/i,
      path,
    )
  assert.match(dashboard.answer('/', {})!.headers['content-security-policy']!, /require-trusted-types-for 'script'/)
})

test('who looks for a page that is not there is told by the app, a program by a problem', async () => {
  const dashboard = await openDashboard()
  const browser = { accept: 'text/html,application/xhtml+xml' }
  const answer = dashboard.answer('/nowhere', browser)
  assert.equal(answer?.status, 404)
  assert.match(answer.headers['content-type']!, /^text\/html/)
  assert.equal(dashboard.answer('/nowhere', { accept: '*/*' }), undefined)
  assert.equal(dashboard.answer('/v1/nowhere', browser), undefined)
})
