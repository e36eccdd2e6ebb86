import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Stage, stageNotes, stageOf, stages, usByStage } from './stages.ts'

/** A stack, innermost first: a word is a function of the engine, all else a file. */
const stack = (...places: readonly string[]) =>
  places.map((place) => (/^\(/.test(place) ? { functionName: place, url: '' } : { functionName: 'f', url: place }))

const home = 'file:///home/me/orbweaver'

test('the innermost frame in a folder of a stage decides', () => {
  const cases: readonly (readonly [Stage, readonly [string, ...string[]]])[] = [
    ['parse', [`${home}/src/parse/scanner.ts`, `${home}/src/worker/pipeline.ts`]],
    ['url', [`${home}/src/url/canonical.ts`, `${home}/src/worker/candidates.ts`]],
    ['inflate', [`${home}/src/fetch/http/decode-body.ts`, `${home}/src/fetch/http/reception.ts`]],
    ['inflate', ['wasm://wasm/0badcafe', `${home}/src/fetch/http/wasm/wasm-inflate.js`]],
    ['fetch', [`${home}/src/fetch/http/reception.ts`, `${home}/node_modules/undici/lib/client.js`]],
    ['records', [`${home}/src/store/adapters/embedded/embedded-records.ts`]],
    ['archive', [`${home}/src/store/warc-record.ts`, `${home}/src/store/adapters/files/file-archive.ts`]],
    ['frontier', [`${home}/src/dedup/bloom.ts`, `${home}/src/frontier/adapters/embedded/seen.ts`]],
    ['commit', [`${home}/src/embedded/database.ts`, 'node:internal/timers']],
  ]
  for (const [stage, places] of cases) assert.equal(stageOf(stack(...places)), stage, places[0])
})

test('what Node, a library or a shared statement does counts for its caller', () => {
  assert.equal(stageOf(stack('node:zlib', `${home}/src/fetch/http/codings.ts`)), 'inflate')
  assert.equal(stageOf(stack('node:internal/crypto/hash', `${home}/src/dedup/content-hash.ts`)), 'dedup')
  assert.equal(stageOf(stack('', `${home}/src/embedded/statement.ts`, `${home}/src/index/adapters/e.ts`)), 'index')
})

test('sockets are network, whoever writes to them', () => {
  assert.equal(stageOf(stack('node:net', `${home}/src/fetch/http/http-fetcher.ts`)), 'network')
  assert.equal(stageOf(stack('node:_tls_wrap')), 'network')
  assert.equal(stageOf(stack('(program)')), 'network')
})

test('loading a module is start-up, whatever the module does', () => {
  const loading = stack(`${home}/src/parse/names.ts`, 'node:internal/modules/esm/module_job')
  assert.equal(stageOf(loading), 'start-up')
})

test('the built program has the same stages', () => {
  assert.equal(stageOf(stack('file:///x/node_modules/orbweaver/dist/src/parse/scanner.js')), 'parse')
  assert.equal(stageOf(stack('file:///x/node_modules/orbweaver/dist/src/embedded/database.js')), 'commit')
})

test('idle time is nobody’s, and what no rule knows is said to be unattributed', () => {
  const sums = usByStage([
    { frames: stack('(idle)'), us: 1000 },
    { frames: stack('(garbage collector)'), us: 30 },
    { frames: stack('node:internal/process/task_queues'), us: 20 },
    { frames: [], us: 5 },
  ])
  assert.deepEqual(Object.fromEntries(sums), { collection: 30, unattributed: 25 })
})

test('notes are about stages that there are', () => {
  for (const stage of Object.keys(stageNotes)) assert.ok((stages as readonly string[]).includes(stage), stage)
})
