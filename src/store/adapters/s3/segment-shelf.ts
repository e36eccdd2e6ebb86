import { hash } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import type { ObjectStore } from '../../../engines/s3/objects.ts'
import type { StoreConfig } from '../../config.ts'
import type { WarcPlace } from '../../url-record.ts'
import { memberParts } from '../../warc-gzip.ts'
import { warcinfoRecord } from '../../warc-record.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { GrowingSegment } from './growing-segment.ts'
import { sealSegment } from './seal-segment.ts'
import { checkId, dayOf, dayOfSegment, segmentName } from './segment-name.ts'

export interface ShelfOptions {
  readonly objects: ObjectStore
  readonly crawl: string
  readonly worker: string
  readonly clock: Clock
  readonly config: StoreConfig
  readonly spoolMib: number
  readonly about: Readonly<Record<string, string>>
  readonly newId: () => string
}

/** Which segment is written now, when the next begins, and that each is sealed in the end. */
export interface SegmentShelf {
  /** The segment that takes an exchange of about this size; ends the one before when it is full or of another day. */
  segmentFor(bodyBytes: number): GrowingSegment
  /** To the segment that `segmentFor` answered last. */
  append(members: readonly Buffer[], line: string): void
  /** Too much waits in memory, or nothing can be written any more: `room` waits, or tells why. */
  readonly isFull: boolean
  room(): Promise<void>
  flush(): Promise<void>
  /** Bytes of this process that may not be in S3 yet. */
  bytesAt(place: WarcPlace): Buffer | undefined
  close(): Promise<void>
}

const MIB = 1024 * 1024
/** Chunks as large as this are left alone until the segment is sealed. */
const PART_BYTES = 8 * MIB
/** The index is sorted in memory when a segment is sealed. */
const MAX_INDEX_BYTES = 32 * MIB

export function openSegmentShelf(options: ShelfOptions): SegmentShelf {
  const { objects, clock, config, about, newId } = options
  const owner = { crawl: checkId('crawl', options.crawl), worker: checkId('worker', options.worker) }
  const bufferBytes = config.archiveBufferMib * MIB
  const maxSegmentBytes = config.warcFileMib * MIB
  const salt = hash('sha256', newId()).slice(0, 8)
  let serial = 0
  let current: GrowingSegment | undefined
  /** Begun and not yet whole in S3. */
  const growing = new Set<GrowingSegment>()
  let sealing: Promise<void> = Promise.resolve()
  const writer = new ChunkWriter({
    objects,
    gatherBytes: Math.min(PART_BYTES, bufferBytes),
    maxWaitingBytes: bufferBytes + options.spoolMib * MIB,
    onComplete: sealBesideCrawl,
  })

  function sealBesideCrawl(segment: GrowingSegment): void {
    growing.delete(segment)
    sealing = sealing
      .then(async () => {
        // Else the sealing would find chunks that vanish under its hands, and begin again.
        await writer.swept()
        if (!writer.failure) await sealSegment(objects, segment.file)
      })
      .catch((error) => writer.fail(error))
  }

  function begin(): GrowingSegment {
    const file = segmentName(owner, clock.now(), ++serial, salt)
    const segment = new GrowingSegment(file, newId(), PART_BYTES)
    const info = warcinfoRecord(file.slice(file.lastIndexOf('/') + 1), clock.now(), segment.warcinfoId, about)
    writer.begin(segment)
    growing.add(segment)
    writer.appended(segment.append(memberParts(info, false), ''))
    return segment
  }

  const isFull = (segment: GrowingSegment, bodyBytes: number): boolean =>
    segment.bytes + bodyBytes > maxSegmentBytes ||
    segment.indexBytes > MAX_INDEX_BYTES ||
    dayOf(clock.now()) !== dayOfSegment(segment.file)

  function endCurrent(): void {
    if (current) writer.end(current)
    current = undefined
  }

  return {
    segmentFor(bodyBytes) {
      if (current && isFull(current, bodyBytes)) endCurrent()
      current ??= begin()
      return current
    },
    append(members, line) {
      if (current) writer.appended(current.append(members, line))
    },
    get isFull() {
      return writer.isFull
    },
    room: () => writer.room(),
    flush() {
      // A worker without work still ends the segment of yesterday.
      if (current && isFull(current, 0)) endCurrent()
      return writer.flush()
    },
    bytesAt({ file, offset, length }) {
      for (const segment of growing) if (segment.file === file) return segment.bytesAt(offset, length)
      return undefined
    },
    async close() {
      if (!writer.failure) endCurrent()
      await writer.idle()
      await sealing
      if (writer.failure) throw writer.failure
    },
  }
}
