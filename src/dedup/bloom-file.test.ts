import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bloomFilter } from './bloom.ts'
import { readBloomFile, writeBloomFile } from './bloom-file.ts'

test('a filter written to a file is read back, and replaces the one before', (t) => {
  const path = filePath(t)
  const filter = bloomFilter(1000)
  writeBloomFile(path, filter, 1)
  filter.add(42)
  writeBloomFile(path, filter, 2)
  const saved = readBloomFile(path)
  assert.equal(saved?.upTo, 2)
  assert.equal(saved.filter.mayHave(42), true)
  assert.deepEqual(readdirSync(join(path, '..')), ['seen.bloom'])
})

test('no file, a file cut short and a file of something else are no filter', (t) => {
  const path = filePath(t)
  assert.equal(readBloomFile(path), undefined)
  writeBloomFile(path, bloomFilter(1000))
  truncateSync(path, 1500)
  assert.equal(readBloomFile(path), undefined)
  writeFileSync(path, 'not a filter, but long enough to have a header')
  assert.equal(readBloomFile(path), undefined)
})

test('a folder in place of the file is an error, not an absent filter', (t) => {
  assert.throws(() => readBloomFile(join(filePath(t), '..')), { code: 'EISDIR' })
})

function filePath(t: { after(clean: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'seen.bloom')
}
