import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { embeddedNearDuplicates } from '../dedup/adapters/embedded/embedded-near-duplicates.ts'
import type { NearDuplicates } from '../dedup/near-duplicates.ts'
import { EmbeddedFrontier } from '../frontier/adapters/embedded/embedded-frontier.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { embeddedIndex } from '../index/adapters/embedded/embedded-index.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { embeddedRobots } from '../politeness/adapters/embedded/embedded-robots.ts'
import { settingsFor } from '../politeness/host-settings.ts'
import { initialPace } from '../politeness/pace.ts'
import type { RobotsStore } from '../politeness/robots-store.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { openFileArchive } from '../store/adapters/files/file-archive.ts'
import type { Archive } from '../store/archive.ts'
import type { Facts } from '../store/facts.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { loadFingerprint, withoutPort } from '../url/keys.ts'
import { type CrawlFolder, lockCrawlFolder } from './crawl-folder.ts'
import { openDatabase } from './database.ts'
import { openFacts } from './facts.ts'
import { repair } from './repair.ts'
import { firstFault } from './storage-error.ts'

/** The ports of a crawl, on engines inside the process. */
export interface CrawlPorts extends AsyncDisposable {
  readonly clock: Clock
  readonly facts: Facts
  readonly frontier: Frontier
  readonly records: RecordStore
  readonly archive: Archive
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex
  readonly robots: RobotsStore
  /** Runs before each commit: what is kept in memory joins it. */
  beforeCommit(hook: () => void): void
  /** The folder can no longer be written: the crawl must stop. */
  onFailure(report: (error: Error) => void): void
  /** What was known of URLs whose archived bytes were found damaged, and which are due again. */
  readonly repaired: readonly UrlRecord[]
}

/** Opens a crawl's folder for crawling, after whatever end it had. Only one process can. */
export async function openEmbedded(
  folder: CrawlFolder,
  config: Config,
  about: Record<string, string>,
): Promise<CrawlPorts> {
  try {
    return await openPorts(folder, config, about)
  } catch (error) {
    throw firstFault(error)
  }
}

async function openPorts(folder: CrawlFolder, config: Config, about: Record<string, string>): Promise<CrawlPorts> {
  const fingerprint = await loadFingerprint()
  await using stack = new AsyncDisposableStack()
  stack.use(lockCrawlFolder(folder))
  const database = stack.use(openDatabase(folder.database, { powerSafe: config.store.powerSafe }))
  const facts = openFacts(database)
  const clock = systemClock(facts.number('clock'))
  database.beforeCommit(() => facts.set('clock', clock.now()))
  const records = stack.use(embeddedRecords(database, fingerprint))
  const index = stack.use(embeddedIndex(database, fingerprint, (url) => records.get(url)))
  const { archive, lost, forgetLost } = openFileArchive({
    ...{ root: folder.archive, database, clock, config: config.store, about },
    findOriginal: async (url) => (await records.get(url))?.warc ?? undefined,
  })
  stack.use(archive)
  const repaired = await repair(lost, { database, facts, fingerprint, records, index })
  if (lost.length > 0) forgetLost()
  const frontier = stack.use(
    new EmbeddedFrontier({
      ...{ database, facts, clock, config: config.frontier, fingerprint, filterFile: folder.filter },
      initialPace: (host) => initialPace(settingsFor(withoutPort(host), config.politeness), null),
    }),
  )
  const nearDuplicates = stack.use(embeddedNearDuplicates(database))
  const robots = stack.use(embeddedRobots(database))
  const opened = stack.move()
  return {
    ...{ clock, facts, frontier, records, archive, nearDuplicates, index, robots, repaired },
    beforeCommit: (hook) => database.beforeCommit(hook),
    onFailure(report) {
      database.onFailure = report
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
