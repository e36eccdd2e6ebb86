import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import type { CrawlPorts } from '../crawl-ports.ts'
import { embeddedNearDuplicates } from '../dedup/adapters/embedded/embedded-near-duplicates.ts'
import { EmbeddedFrontier } from '../frontier/adapters/embedded/embedded-frontier.ts'
import { embeddedIndex } from '../index/adapters/embedded/embedded-index.ts'
import { embeddedRobots } from '../politeness/adapters/embedded/embedded-robots.ts'
import type { HostDecisions } from '../politeness/host-decisions.ts'
import { settingsFor } from '../politeness/host-settings.ts'
import { initialPace } from '../politeness/pace.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { openFileArchive } from '../store/adapters/files/file-archive.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { loadFingerprint, withoutPort } from '../url/keys.ts'
import { LocalPageLimit } from '../worker/limits.ts'
import { type CrawlFolder, lockCrawlFolder } from './crawl-folder.ts'
import { openDatabase } from './database.ts'
import { openFacts } from './facts.ts'
import { openHostDecisions } from './host-decisions.ts'
import { repair } from './repair.ts'
import { firstFault } from './storage-error.ts'
import { embeddedWidenedHosts } from './widened-hosts.ts'

/** The ports of a crawl, on engines inside the process. */
export interface EmbeddedPorts extends CrawlPorts {
  readonly frontier: EmbeddedFrontier
  readonly limit: LocalPageLimit
  /** What was known of URLs whose archived bytes were found damaged, and which are due again. */
  readonly repaired: readonly UrlRecord[]
}

/** Opens a crawl's folder for crawling, after whatever end it had. Only one process can. */
export async function openEmbedded(
  folder: CrawlFolder,
  config: Config,
  about: Record<string, string>,
  decisions: HostDecisions = openHostDecisions(folder.path),
): Promise<EmbeddedPorts> {
  try {
    return await openPorts(folder, config, about, decisions)
  } catch (error) {
    throw firstFault(error)
  }
}

async function openPorts(
  folder: CrawlFolder,
  config: Config,
  about: Record<string, string>,
  decisions: HostDecisions,
): Promise<EmbeddedPorts> {
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
      traps: config.url.traps,
      initialPace: (host) => initialPace(settingsFor(withoutPort(host), config.politeness), null),
    }),
  )
  const nearDuplicates = stack.use(embeddedNearDuplicates(database))
  const robots = stack.use(embeddedRobots(database))
  const { pages = 0 } = await frontier.sums()
  const limit = new LocalPageLimit(config.limits.maxPages, pages)
  const widened = embeddedWidenedHosts(facts)
  const opened = stack.move()
  return {
    ...{ clock, frontier, records, archive, nearDuplicates, index, robots, limit, widened, repaired, decisions },
    // What a visit kept and its settlement are one group of writes: there is nothing to wait for.
    safe: () => nothingToWaitFor,
    onFailure(report) {
      database.onFailure = report
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const nothingToWaitFor = Promise.resolve()
