import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite } from './site.ts'

test('all hosts of the site are seeds, and so may be crawled, however many they are', async () => {
  const shape = { pages: 4000, hosts: 4000, tls: false, keepAlive: true }
  await using site = await openSite(shape, { corpus: undefined, pinning: undefined })
  assert.equal(site.seeds.length, 4000)
})
