import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { languageTables } from '../src/parse/language-model.ts'
import { tablesOfEld } from './language-tables.ts'

test('the committed tables are what those of eld become (if not: node scripts/language-tables.ts)', () => {
  assert.ok(readFileSync(languageTables).equals(tablesOfEld()))
})
