import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import type { ObjectStore } from '../../../engines/s3/objects.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { Archive, KeptExchange, RevisitOf } from '../../archive.ts'
import { originalOf, type ReadBytes, readRecordHead, readResponse } from '../../archived-response.ts'
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
  urn,
  warcDate,
} from '../../warc-record.ts'
import { bytesInS3, type SegmentState, segmentsOf, streamSegment } from './read-segment.ts'
import { RecentHeads } from './recent-heads.ts'
import { openSegmentShelf } from './segment-shelf.ts'

export interface S3ArchiveOptions {
  readonly objects: ObjectStore
  readonly crawl: string
  /** Different for every process that ever writes, also for one that takes another's place. */
  readonly worker: string
  readonly clock: Clock
  readonly config: StoreConfig
  readonly spoolMib: number
  /** Goes into the warcinfo record at the start of each segment: `software`, `robots`, `http-header-user-agent`… */
  readonly about: Readonly<Record<string, string>>
  /** Where the exchange lies that a revisit refers to. Unknown: the response is kept whole. */
  readonly findOriginal: (url: CanonicalUrl, fetchedAt: number) => Promise<WarcPlace | undefined>
  readonly newId?: () => string
}

/** What readers need, who may be in any process. */
export interface S3ArchiveReader {
  readonly read: Archive['read']
  /** The segments of a crawl, with what is safe of each. */
  segments(): AsyncIterable<SegmentState>
  /** All that is safe of a segment. */
  stream(file: string): AsyncIterable<Buffer>
}

export interface OpenedS3Archive extends Omit<S3ArchiveReader, 'read'> {
  readonly archive: Archive
}

export function openS3ArchiveReader(objects: ObjectStore, crawl: string, config: StoreConfig): S3ArchiveReader {
  const readBytes = bytesInS3(objects)
  return {
    read: (place) => readResponse(readBytes, place, maxBodyBytes(config)),
    segments: () => segmentsOf(objects, crawl),
    stream: (file) => streamSegment(objects, file),
  }
}

/**
 * WARC segments in S3, in a folder for each crawl and day. A flush brings what is new as a chunk, an object of its own
 * that can be read at once; when the segment is full its chunks become one object. A crash leaves whole exchanges only:
 * at most those of the chunk that was on its way are there without anybody knowing their place.
 */
export function openS3Archive(options: S3ArchiveOptions): OpenedS3Archive {
  const { objects, crawl, config, findOriginal, newId = randomUUID } = options
  const reader = openS3ArchiveReader(objects, crawl, config)
  const shelf = openSegmentShelf({ ...options, newId })
  const recent = new RecentHeads()
  const inS3 = bytesInS3(objects)
  const readBytes: ReadBytes = async (place) => shelf.bytesAt(place) ?? inS3(place)

  /** The response to which `revisitOf` leads, itself or the one that it is a revisit of, if it has the payload. */
  async function findIdentical(revisitOf: RevisitOf, isPayload: IsPayload): Promise<Identical | undefined> {
    const found = await findOriginal(revisitOf.url, revisitOf.fetchedAt)
    if (!found) return undefined
    const known = recent.at(found) ?? (await headAt(found))
    return known && isPayload(known.digest) ? known : undefined
  }

  async function headAt(place: WarcPlace) {
    const head = await readRecordHead(readBytes, place)
    const original = head && originalOf(head, place)
    if (!original) return undefined
    return recent.remember(place, { digest: head.field('WARC-Payload-Digest') ?? '', original })
  }

  function store(exchange: KeptExchange, digest: string, original: OriginalResponse | undefined): WarcPlace {
    const segment = shelf.segmentFor(exchange.rawBody.length)
    const ids = { warcinfo: segment.warcinfoId, request: newId(), response: newId() }
    const request = memberParts(requestRecord(exchange, ids), false)
    const record = original ? revisitRecord(exchange, ids, digest, original) : responseRecord(exchange, ids, digest)
    const response = memberParts(record, !original && isCompressed(exchange.headers))
    const place = { file: segment.file, offset: segment.bytes + bytesOf(request), length: bytesOf(response) }
    const line = exchangeLine(exchange, digest, place, original !== undefined)
    shelf.append([...request, ...response], `${line}\n`)
    const self = { place, recordId: urn(ids.response), url: exchange.url, date: warcDate(exchange.startedAt) }
    recent.remember(place, { digest, original: original ?? self })
    return place
  }

  const archive: Archive = {
    async append(exchange, payloadHash, revisitOf) {
      const digest = `sha256:${payloadHash}`
      const identical = revisitOf && (await findIdentical(revisitOf, payloadOf(exchange, digest)))
      while (shelf.isFull) await shelf.room()
      return store(exchange, identical?.digest ?? digest, identical?.original)
    },
    flush: () => shelf.flush(),
    read: (place) => readResponse(readBytes, place, maxBodyBytes(config)),
    [Symbol.asyncDispose]: () => shelf.close(),
  }
  return { archive, segments: reader.segments, stream: reader.stream }
}

const maxBodyBytes = ({ readLimitMib }: StoreConfig): number => Math.floor(readLimitMib * 1024 * 1024)

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)
