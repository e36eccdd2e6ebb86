import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { openFacts } from '../../src/embedded/facts.ts'
import { EmbeddedFrontier } from '../../src/frontier/adapters/embedded/embedded-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import type { Candidate } from '../../src/frontier/frontier.ts'
import { type CanonicalUrl, hostKeyOf, loadFingerprint } from '../../src/url/keys.ts'
import type { Stage, Way } from './measure.ts'
import type { Sample } from './samples.ts'
import { openScratch } from './scratch.ts'

const fingerprint = await loadFingerprint()

/** All links of a page are offered; one in five is known. */
function candidatesOf({ record }: Sample, serial: number): Candidate[] {
  return record.links.map((link, i) => {
    const url = (i % 5 === 0 ? link : `${link}${link.includes('?') ? '&' : '?'}v=${serial}`) as CanonicalUrl
    return { url, host: hostKeyOf(url, 'host'), band: 'low', depth: 1, parent: record.url, redirects: 0 }
  })
}

const ours: Way = {
  name: 'ours',
  open() {
    const { folder, database, close } = openScratch()
    const frontier = new EmbeddedFrontier({
      ...{ database, facts: openFacts(database), clock: systemClock(), config: frontierConfig.parse({}), fingerprint },
      filterFile: join(folder, 'seen.bloom'),
      initialPace: () => ({ gapMs: 0, burst: 1, connections: 1, failures: 0 }),
    })
    return {
      page: (sample, serial) => frontier.offer(candidatesOf(sample, serial)),
      flush: () => database.commit(),
      async close() {
        await frontier[Symbol.asyncDispose]()
        close()
      },
    }
  },
}

/**
 * As one would write it first. Its keys are in no order of arrival: while all of it fits the cache that costs little, and
 * in a large crawl each row dirties a page of its own (`bench/growth` tells).
 */
const keyedTable = (name: string, key: string): Way => ({
  name,
  open() {
    const { database, close } = openScratch()
    database.define(
      `CREATE TABLE url (host TEXT, url TEXT, band TEXT, depth INTEGER, parent TEXT, PRIMARY KEY (${key})) WITHOUT ROWID`,
    )
    const insert = database.prepare('INSERT OR IGNORE INTO url VALUES (?, ?, ?, ?, ?)')
    return {
      page(sample, serial) {
        database.write()
        for (const { host, url, band, depth, parent } of candidatesOf(sample, serial))
          insert.run(host, url, band, depth, parent)
      },
      flush: () => database.commit(),
      close,
    }
  },
})

/** The links of a page, offered to a small frontier. In the last way nothing survives a crash. */
export const frontier: Stage = {
  name: 'frontier',
  ways: async () => [
    ours,
    keyedTable('SQLite table keyed by host and URL', 'host, url'),
    keyedTable('SQLite table keyed by URL', 'url'),
    {
      name: 'a Set in memory',
      open() {
        const seen = new Set<string>()
        return { page: (sample, serial) => candidatesOf(sample, serial).map(({ url }) => seen.add(url)) }
      },
    },
  ],
}
