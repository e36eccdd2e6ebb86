import { embeddedLedger } from '../frontier/adapters/embedded/embedded-ledger.ts'
import type { Ledger } from '../frontier/ledger.ts'
import { embeddedIndex } from '../index/adapters/embedded/embedded-index.ts'
import type { SearchIndex } from '../index/search-index.ts'
import { embeddedRecords } from '../store/adapters/embedded/embedded-records.ts'
import { readArchived } from '../store/adapters/files/archived-response.ts'
import { committedFiles, type FileState } from '../store/adapters/files/catalog.ts'
import type { Archive } from '../store/archive.ts'
import type { RecordStore } from '../store/record-store.ts'
import { loadFingerprint } from '../url/keys.ts'
import type { WidenedHosts } from '../worker/moved-seeds.ts'
import { type CrawlFolder, lockCrawlFolder } from './crawl-folder.ts'
import { openDatabase } from './database.ts'
import { openFacts } from './facts.ts'
import { embeddedWidenedHosts } from './widened-hosts.ts'

/** What readers of a crawl's folder need. */
export interface CrawlReader extends AsyncDisposable {
  readonly widened: Pick<WidenedHosts, 'each'>
  readonly ledger: Ledger
  readonly records: RecordStore
  readonly index: SearchIndex
  readonly archive: Pick<Archive, 'read'>
  readonly archiveFiles: () => readonly FileState[]
}

/** Opens a crawl's folder for reading, also while a crawl runs in it; `exclusive`: for changing dead letters, while none does. */
export async function openReader(folder: CrawlFolder, access: 'shared' | 'exclusive' = 'shared'): Promise<CrawlReader> {
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
    const archive: CrawlReader['archive'] = { read: (place) => readArchived(folder.archive, place, readLimitBytes) }
    const opened = stack.move()
    return {
      widened: embeddedWidenedHosts(facts),
      ledger,
      records,
      index,
      archive,
      archiveFiles: () => committedFiles(database),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

const readLimitBytes = 64 * 1024 * 1024
