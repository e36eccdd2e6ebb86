import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('only the warning about SQLite is left out', () => {
  const script = `
    await import(${JSON.stringify(import.meta.resolve('./quiet-sqlite.ts'))})
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('Something else is experimental', 'ExperimentalWarning')
    process.emitWarning('SQLite says something', { code: 'KEPT' })
    process.emitWarning(new Error('an error as warning'))`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  assert.doesNotMatch(stderr, /SQLite is an experimental feature/)
  assert.match(stderr, /Something else is experimental/)
  assert.match(stderr, /KEPT/)
  assert.match(stderr, /an error as warning/)
})
