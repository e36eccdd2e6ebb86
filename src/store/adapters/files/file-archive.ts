import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Archive, KeptExchange, RevisitOf } from '../../archive.ts'
import { originalOf, readRecordHead } from '../../archived-response.ts'
import { exchangeLine } from '../../cdxj-exchange.ts'
import type { StoreConfig } from '../../config.ts'
import type { WarcPlace } from '../../url-record.ts'
import { memberParts } from '../../warc-gzip.ts'
import { isCompressed } from '../../warc-http.ts'
import {
  type Identical,
  type IsPayload,
  type OriginalResponse,
  payloadOf,
  requestRecord,
  responseRecord,
  revisitRecord,
} from '../../warc-record.ts'
import { bytesBelow, readArchived } from './archived-response.ts'
import { type LostRange, openCatalog } from './catalog.ts'
import { recoverFiles } from './recover.ts'
import { openShelf } from './shelf.ts'

export interface FileArchiveOptions {
  /** The folder of the archive; made when the first exchange is stored. */
  readonly root: string
  /** Whose commits are the archive's commits. */
  readonly database: Database
  readonly clock: Clock
  readonly config: StoreConfig
  /** Goes into the warcinfo record at the start of each file: `software`, `robots`, `http-header-user-agent`… */
  readonly about: Readonly<Record<string, string>>
  /** Where the exchange lies that a revisit refers to. Unknown: the response is kept whole. */
  readonly findOriginal: (url: CanonicalUrl, fetchedAt: number) => Promise<WarcPlace | undefined>
  readonly newId?: () => string
}

export interface OpenedArchive {
  readonly archive: Archive
  /** Committed once, but damaged since: the same at every opening until `forgetLost`. Their pages must be fetched again. */
  readonly lost: readonly LostRange[]
  /** Joins the current group of writes, so that it can be one with those that make the pages due again. */
  forgetLost(): void
}

/**
 * WARC files in a folder for each day. Appended bytes wait in memory and reach the files right before the database
 * commits the lengths up to which they count; so files and records always stand at the same moment.
 */
export function openFileArchive(options: FileArchiveOptions): OpenedArchive {
  const { root, database, config, findOriginal, newId = randomUUID } = options
  const catalog = openCatalog(database)
  recoverFiles(root, catalog)
  database.commit()
  const shelf = openShelf({ ...options, catalog, newId })
  const maxBodyBytes = Math.floor(config.readLimitMib * 1024 * 1024)

  /** The response to which `revisitOf` leads, itself or the one that it is a revisit of, if it has the payload. */
  async function findIdentical(revisitOf: RevisitOf, isPayload: IsPayload): Promise<Identical | undefined> {
    const found = await findOriginal(revisitOf.url, revisitOf.fetchedAt)
    if (!found) return undefined
    shelf.makeReadable(found)
    const head = await readRecordHead(bytesBelow(root), found)
    const digest = head?.field('WARC-Payload-Digest')
    const original = head && digest !== undefined && isPayload(digest) ? originalOf(head, found) : undefined
    return original && { original, digest: digest! }
  }

  function store(exchange: KeptExchange, digest: string, original: OriginalResponse | undefined): WarcPlace {
    const warc = shelf.fileFor(exchange.rawBody.length)
    const ids = { warcinfo: warc.warcinfoId, request: newId(), response: newId() }
    warc.append(memberParts(requestRecord(exchange, ids), false))
    const record = original ? revisitRecord(exchange, ids, digest, original) : responseRecord(exchange, ids, digest)
    const offset = warc.append(memberParts(record, !original && isCompressed(exchange.headers)))
    const place = { file: warc.file, offset, length: warc.bytes - offset }
    warc.addToIndex(exchangeLine(exchange, digest, place, original !== undefined))
    shelf.appended()
    return place
  }

  const archive: Archive = {
    async append(exchange, payloadHash, revisitOf) {
      const digest = `sha256:${payloadHash}`
      const identical = revisitOf && (await findIdentical(revisitOf, payloadOf(exchange, digest)))
      return store(exchange, identical?.digest ?? digest, identical?.original)
    },
    async flush() {
      database.commit()
    },
    async read(place) {
      shelf.makeReadable(place)
      return readArchived(root, place, maxBodyBytes)
    },
    [Symbol.asyncDispose]: () => shelf.close(),
  }
  return { archive, lost: catalog.lost(), forgetLost: () => catalog.forgetLost() }
}
