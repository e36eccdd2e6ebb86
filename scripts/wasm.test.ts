import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compile, wasmFile } from './wasm.ts'

test('the committed scanner is what its source compiles to (if not: node scripts/wasm.ts)', async () => {
  assert.ok(readFileSync(wasmFile).equals(await compile()))
})
