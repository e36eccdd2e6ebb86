import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { settings } from '../src/config/settings.ts'
import { configurationPage } from './configuration.ts'

test('docs/configuration.md is what the schemas say', () => {
  const page = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage(), 'run `npx node scripts/configuration.ts`')
})

test('every setting is described', () => {
  assert.deepEqual(
    settings()
      .filter(({ description }) => description === '')
      .map(({ name }) => name),
    [],
  )
})
