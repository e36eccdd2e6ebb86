import type { CrawlReader } from '../crawl-reader.ts'
import { embeddedLedger } from '../frontier/adapters/embedded/embedded-ledger.ts'
import { embeddedIndex } from '../index/adapters/embedded/embedded-index.ts'
import { embeddedRobots } from '../politeness/adapters/embedded/embedded-robots.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { readArchived } from '../store/adapters/files/archived-response.ts'
import { committedFiles, type FileState } from '../store/adapters/files/catalog.ts'
import { loadFingerprint } from '../url/keys.ts'
import { type CrawlFolder, isLocked, lockCrawlFolder } from './crawl-folder.ts'
import { openDatabase } from './database.ts'
import { openFacts } from './facts.ts'
import { embeddedWidenedHosts } from './widened-hosts.ts'

/** A crawl's folder, for reading. */
export interface FolderReader extends CrawlReader {
  readonly archiveFiles: () => readonly FileState[]
}

/** Opens a crawl's folder for reading, also while a crawl runs in it; `exclusive`: for changing dead letters, while none does. */
export async function openReader(
  folder: CrawlFolder,
  access: 'shared' | 'exclusive' = 'shared',
): Promise<FolderReader> {
  const fingerprint = await loadFingerprint()
  const stack = new AsyncDisposableStack()
  try {
    if (access === 'exclusive') stack.use(lockCrawlFolder(folder))
    const readOnly = access === 'shared'
    const database = stack.use(openDatabase(folder.database, { readOnly }))
    const facts = openFacts(database, readOnly)
    const records = stack.use(embeddedRecords(database, fingerprint))
    const index = stack.use(embeddedIndex(database, fingerprint, (url) => records.get(url)))
    const ledger = stack.use(embeddedLedger(database, facts, fingerprint))
    const robots = stack.use(embeddedRobots(database))
    const archive: FolderReader['archive'] = { read: (place) => readArchived(folder.archive, place, readLimitBytes) }
    const opened = stack.move()
    return {
      orders: folder.orders,
      async state() {
        if (isLocked(folder)) return 'running'
        return (await hasMore({ ledger, records })) ? 'stopped' : 'finished'
      },
      widened: embeddedWidenedHosts(facts),
      ledger,
      records,
      index,
      archive,
      robots,
      archiveFiles: () => committedFiles(database),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Whether a crawl that does not run would have something to do: what is queued, or to be visited again some time. */
export async function hasMore({ ledger, records }: Pick<CrawlReader, 'ledger' | 'records'>): Promise<boolean> {
  return (await ledger.counts()).queued > 0 || (await records.outlook(0)).planned > 0
}

const readLimitBytes = 64 * 1024 * 1024
