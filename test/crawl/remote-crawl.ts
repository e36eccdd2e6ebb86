import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { type CrawlFolder, createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import type { Expected, ExpectedPage } from '../web/expected.ts'
import type { WebOptions } from '../web/options.ts'
import { type RemoteWeb, startRemoteWeb } from '../web/remote.ts'
import { withoutProbes } from './crawl-of-web.ts'

/** A test web that outlives whoever crawls it. */
export function startWeb(options: WebOptions): Promise<RemoteWeb> {
  return startRemoteWeb(['--options', JSON.stringify(options)])
}

/** Settings with which a crawl of a test web spends no time on waiting. */
export const impatient: Readonly<Record<string, unknown>> = {
  'politeness.delayMs': 0,
  'politeness.throttledGapMs': 20,
  'politeness.maxGapMs': 100,
  'politeness.circuit': { failures: 5, holdMs: 50, maxHoldMs: 200 },
  'politeness.robots': { retryMs: [50, 100, 200], retryLaterMs: 300_000 },
  'fetch.retryDelaysMs': [100, 200, 400],
  'limits.maxWaitMs': 5000,
}

/** The folder of a crawl that has not begun. */
export function folderFor(web: RemoteWeb, scratch: string, settings: Record<string, unknown> = {}): CrawlFolder {
  const { given } = loadConfig({
    overrides: {
      'dns.servers': [web.dns],
      'fetch.caCertificates': [web.caFile],
      allowPrivate: ['*'],
      ...withoutProbes,
      ...settings,
    },
  })
  return createCrawlFolder(join(scratch, 'crawl'), web.seeds, given)
}

export async function expectedOf(web: RemoteWeb): Promise<Expected> {
  const { pages, others, redirects, failures, excluded, hostile, traps, ...groups } = await web.expected()
  return {
    pages: new Map<string, ExpectedPage>(Object.entries(pages)),
    others: new Map(Object.entries(others)),
    redirects: new Map(Object.entries(redirects)),
    failures: new Map(Object.entries(failures)),
    excluded: new Map(Object.entries(excluded)),
    hostile: new Map(Object.entries(hostile)),
    traps: new Map(Object.entries(traps)),
    duplicates: groups.duplicates.map((group) => [...group]),
    nearDuplicates: groups.nearDuplicates.map((group) => [...group]),
  }
}
