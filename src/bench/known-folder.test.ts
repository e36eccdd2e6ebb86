import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from '../config/load.ts'
import { createCrawlFolder } from '../embedded/crawl-folder.ts'
import { openEmbedded } from '../embedded/open-embedded.ts'
import type { Candidate } from '../frontier/frontier.ts'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import { fillFolder } from './known-folder.ts'

const host = 'site-00001.bench.test:1' as HostKey
const pages = Array.from({ length: 30 }, (_, n): Candidate => {
  const url = `http://${host}/${n}` as CanonicalUrl
  return { url, host, band: 'low', depth: 1, parent: null, redirects: 0 }
})

test('a folder grows to exactly what it shall know, and only the site’s pages can be visited', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-known-'))
  try {
    const folder = createCrawlFolder(join(scratch, 'crawl'), [`http://${host}/`], {})
    const { config } = loadConfig({ overrides: { 'politeness.delayMs': 0 } })
    const { signal } = new AbortController()
    const fill = (from: number, to: number) => fillFolder(folder, config, { ofSite: pages, from, to }, () => {}, signal)
    await fill(0, 30)
    await fill(30, 2500)
    await fill(2500, 6000)
    await using ports = await openEmbedded(folder, config, {})
    const { admitted, queued } = await ports.frontier.counts()
    assert.deepEqual([admitted, queued], [6000, 6000])
    const { leases } = await ports.frontier.lease(1000, 1000)
    assert.deepEqual(
      leases.map((lease) => [lease.host, lease.requests.length]),
      [[host, 30]],
    )
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
