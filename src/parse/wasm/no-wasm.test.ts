import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config.ts'
import { parsePage } from '../parse-page.ts'
import { threadScanner } from './thread-scanner.ts'
import { simhashInWasm } from './wasm-simhash.ts'

process.env.ORBWEAVER_NO_WASM = '1'

test('with ORBWEAVER_NO_WASM=1 pages are read in TypeScript', () => {
  const options = { url: 'https://example.com/', contentType: 'text/html', config: parseConfig.parse({}) }
  assert.equal(parsePage(Buffer.from('<title>T</title>'), options).title, 'T')
  assert.equal(threadScanner(), undefined)
  assert.equal(simhashInWasm('word '.repeat(100)), undefined)
})
