import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import { indexPartPath } from '../../cdxj-index.ts'
import type { StoreConfig } from '../../config.ts'
import type { WarcPlace } from '../../url-record.ts'
import { memberParts } from '../../warc-gzip.ts'
import { warcinfoRecord } from '../../warc-record.ts'
import type { Catalog, FileState } from './catalog.ts'
import { archiveName, dayOf } from './file-name.ts'
import { createWarcFile, GrowingWarc, sortIndex } from './growing-warc.ts'

export interface ShelfOptions {
  readonly root: string
  readonly database: Database
  readonly catalog: Catalog
  readonly clock: Clock
  readonly config: StoreConfig
  readonly about: Readonly<Record<string, string>>
  readonly newId: () => string
}

/** Which file is written now, when the next begins, and what each commit promises about them. */
export interface Shelf {
  /** The file that takes an exchange of about this size; seals the one before when it is full or of another day. */
  fileFor(bodyBytes: number): GrowingWarc
  /** To be called after each append: keeps what waits in memory within its bound. */
  appended(): void
  /** Writes out what this place may still have waiting in memory. */
  makeReadable(place: WarcPlace): void
  close(): Promise<void>
}

const MIB = 1024 * 1024
/** After a power cut at most about this much has to be read again, twice if the disk is slow. */
const SYNC_EVERY_BYTES = 16 * MIB
/** The index is sorted in memory when a file is sealed. */
const MAX_INDEX_BYTES = 32 * MIB

export function openShelf(options: ShelfOptions): Shelf {
  const { root, database, catalog, clock, config, about, newId } = options
  const maxFileBytes = config.warcFileMib * MIB
  const maxPendingBytes = config.archiveBufferMib * MIB
  let fileCount = catalog.files().length
  let resumable = catalog.files().findLast((state) => !state.sealed)
  let current: GrowingWarc | undefined
  /** Sealed, but the disk has not yet confirmed them. */
  const settling = new Set<GrowingWarc>()
  let obsoleteParts: string[] = []
  let failure: Error | undefined
  let dirty = false

  database.beforeCommit(() => {
    if (failure) throw failure
    if (!dirty) return
    dirty = false
    attempt(saveAll)
  })

  /** A failed write must also stop the commit that would count on its bytes. */
  function attempt<T>(act: () => T): T {
    if (failure) throw failure
    try {
      return act()
    } catch (error) {
      failure = error as Error
      throw error
    }
  }

  function saveAll(): void {
    // A sealed file's part is needed until the sealing is committed: that is so when a later group is.
    removeParts()
    for (const warc of settling) {
      if (config.powerSafe && warc.unsyncedBytes > 0) warc.syncNow()
      catalog.save(warc.state())
      if (!warc.isSettled) continue
      warc.close()
      settling.delete(warc)
      obsoleteParts.push(indexPartPath(join(root, warc.file)))
    }
    if (!current) return
    current.writeOut()
    if (config.powerSafe) current.syncNow()
    catalog.save(current.state())
  }

  function removeParts(): void {
    for (const part of obsoleteParts) rmSync(part, { force: true })
    obsoleteParts = []
  }

  function syncBesideCrawl(warc: GrowingWarc): void {
    const synced = settling.has(warc) ? warc.syncFully() : warc.syncLater()
    synced.then(
      () => {
        dirty = true
      },
      (error) => {
        failure ??= error
      },
    )
  }

  function seal(warc: GrowingWarc): void {
    warc.seal()
    settling.add(warc)
    syncBesideCrawl(warc)
    current = undefined
  }

  /** Each run that writes to a file says in it who it is. */
  function begin(state: FileState): GrowingWarc {
    const warc = new GrowingWarc(root, state, newId())
    if (isFull(warc, 0)) return warc
    const info = warcinfoRecord(warc.file.slice(11), clock.now(), warc.warcinfoId, about)
    warc.append(memberParts(info, false))
    return warc
  }

  function create(): FileState {
    for (;;) {
      const state = createWarcFile(root, archiveName(clock.now(), ++fileCount), config.powerSafe)
      if (state) return state
    }
  }

  function isFull(warc: GrowingWarc, bodyBytes: number): boolean {
    return (
      warc.bytes + bodyBytes > maxFileBytes ||
      warc.indexBytes > MAX_INDEX_BYTES ||
      dayOf(clock.now()) !== warc.file.slice(0, 10)
    )
  }

  async function close(): Promise<void> {
    try {
      database.commit()
      if (resumable) sortIndex(join(root, resumable.file))
      if (!current && settling.size === 0) return
      await Promise.all([...settling, ...(current ? [current] : [])].map((warc) => warc.syncFully()))
      attempt(() => current?.sortIndex())
      database.write()
      dirty = true
      database.commit()
      removeParts()
    } finally {
      current?.close()
      for (const warc of settling) warc.close()
      current = undefined
      settling.clear()
    }
  }

  return {
    fileFor(bodyBytes) {
      database.write()
      return attempt(() => {
        if (!current && resumable) current = begin(resumable)
        resumable = undefined
        if (current && isFull(current, bodyBytes)) seal(current)
        current ??= begin(create())
        dirty = true
        return current
      })
    },
    appended() {
      const warc = current
      if (!warc) return
      if (warc.pendingBytes > maxPendingBytes) attempt(() => warc.writeOut())
      if (warc.unsyncedBytes > SYNC_EVERY_BYTES && !config.powerSafe) syncBesideCrawl(warc)
    },
    makeReadable({ file, offset, length }) {
      const warc = current
      if (warc?.file !== file || offset + length <= warc.bytes - warc.pendingBytes) return
      attempt(() => warc.writeOut())
    },
    close,
  }
}
