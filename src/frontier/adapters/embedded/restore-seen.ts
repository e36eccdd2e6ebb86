import { rmSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BloomFilter, bloomFilter } from '../../../dedup/bloom.ts'
import { readBloomFile, writeBloomFile } from '../../../dedup/bloom-file.ts'
import type { Database } from '../../../embedded/database.ts'
import { StorageError, storageError } from '../../../embedded/storage-error.ts'
import type { Seen } from './seen.ts'
import type { UrlRows } from './url-rows.ts'

const sliceSize = 20_000
const saveEveryMs = 60_000
const saveAfterUrls = 100_000

export interface RestoreSeenOptions {
  readonly database: Database
  readonly seen: Seen
  readonly rows: UrlRows
  readonly fingerprint: (url: string) => number
  readonly filterFile: string
  readonly expectedUrls: number
}

/**
 * Fills the seen set after opening, and keeps its filter in a file. The file's mark is an id up to which all URLs are in
 * the filter; it was committed when the file was written, so a mark beyond the last id tells of a database that lost its
 * end. Then, and when the file is missing or damaged, the filter is built anew from the exact set, in slices beside the
 * crawl, which until then asks the exact set alone.
 */
export function restoreSeen(options: RestoreSeenOptions): AsyncDisposable {
  const { database, seen, rows, fingerprint, filterFile, expectedUrls } = options
  const saved = readBloomFile(filterFile)
  const usable = saved && saved.upTo <= rows.lastId ? saved : undefined
  // Now, before new URLs take the ids that its mark counts in: after another crash it would look usable.
  if (!usable) rmSync(filterFile, { force: true })
  const filter = usable?.filter ?? bloomFilter(Math.max(expectedUrls, rows.lastId))
  seen.useFilter(filter, usable !== undefined)

  const { storedThrough } = seen
  for (const { id, url } of rows.after(Math.min(storedThrough, usable?.upTo ?? storedThrough))) {
    if (id > storedThrough) seen.add(fingerprint(url), id)
    else filter.add(fingerprint(url))
  }

  const stop = new AbortController()
  const whole = usable ? Promise.resolve() : addStored(filter, seen, stop.signal)
  let savedUpTo = usable?.upTo ?? 0
  const save = () => {
    database.commit()
    try {
      writeBloomFile(filterFile, filter, rows.lastId)
      savedUpTo = rows.lastId
    } catch (error) {
      // The file only saves time at the next opening. A disk that cannot take it ends the crawl where it matters.
      if (!(storageError(filterFile, error) instanceof StorageError)) throw error
    }
  }
  let canSave = false
  const besideCrawl = (error: unknown) => database.onFailure(error as Error)
  const ready = whole.then(() => {
    if (stop.signal.aborted) return
    seen.useFilter(filter, true)
    canSave = true
  }, besideCrawl)
  const timer = setInterval(() => {
    if (!canSave || rows.lastId - savedUpTo < saveAfterUrls) return
    try {
      save()
    } catch (error) {
      besideCrawl(error)
    }
  }, saveEveryMs).unref()

  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stop.abort()
      await ready
      if (canSave) save()
    },
  }
}

async function addStored(filter: BloomFilter, seen: Seen, signal: AbortSignal): Promise<void> {
  for (let after = -1; !signal.aborted; await nextTurn()) {
    const slice = seen.stored(after, sliceSize)
    for (const fingerprint of slice) filter.add(fingerprint)
    if (slice.length < sliceSize) return
    after = slice.at(-1)!
  }
}
