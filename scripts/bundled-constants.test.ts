import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withConstants } from './bundled-constants.ts'

test('what is assigned to nowhere else becomes a constant', async () => {
  assert.equal(
    await withConstants('var SIZE = 8;\nvar Table = class {\n};\n'),
    'const SIZE = 8;\nconst Table = class {\n};\n',
  )
})

test('what is assigned to later stays as it is', async () => {
  const bundle =
    'var a = 1;\nvar b = 2;\nvar c = 3;\nvar d;\nfunction f() {\n  a ??= 2;\n  b++;\n  [c] = [4];\n  d = 1;\n}\n'
  assert.equal(await withConstants(bundle), bundle)
})

test('what a function declares stays as it is', async () => {
  const bundle = 'function f() {\n  var a = 1;\n  return a;\n}\n'
  assert.equal(await withConstants(bundle), bundle)
})
