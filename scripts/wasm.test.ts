import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compile, wasmFile, wasmModules } from './wasm.ts'

for (const module of wasmModules)
  test(`the committed ${module.name} is what its source compiles to (if not: node scripts/wasm.ts)`, async () => {
    assert.ok(readFileSync(wasmFile(module)).equals(await compile(module)))
  })
