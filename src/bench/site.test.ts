import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../config/load.ts'
import { openSite } from './site.ts'

test('all hosts of the site may be crawled, however many they are', async () => {
  const shape = { pages: 4000, hosts: 4000, tls: false, keepAlive: true }
  await using site = await openSite(shape, { corpus: undefined, pinning: undefined })
  const { config } = loadConfig({ file: site.configFile })
  assert.equal(site.seeds.length, 4000)
  assert.ok(config.url.traps.maxSubdomains >= 4000)
})
