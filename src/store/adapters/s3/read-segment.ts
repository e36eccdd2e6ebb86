import type { ObjectStore } from '../../../engines/s3/objects.ts'
import type { ReadBytes } from '../../archived-response.ts'
import { coverOf, type Span } from './chunks.ts'
import { chunksOf } from './seal-segment.ts'
import { crawlFolder, GROWING, keyBefore, parseChunk, parseSegment } from './segment-name.ts'

/** A file of the archive as readers see it. */
export interface SegmentState {
  readonly file: string
  /** What is safe of it. */
  readonly bytes: number
  readonly sealed: boolean
}

/** Chunks move into larger ones, and into the sealed object, while they are looked for; each time they are found anew. */
const ROUNDS = 5
/** Chunks behind an offset that may have to be looked at: those of it that a merge has not yet deleted. */
const CANDIDATES = 100

/** Bytes of a segment by any process, whether it has been sealed or is still growing. */
export function bytesInS3(objects: ObjectStore): ReadBytes {
  return async ({ file, offset, length }) => {
    if (!parseSegment(file) || !Number.isSafeInteger(offset + length)) return undefined
    for (let round = 0, misses = 0; round < ROUNDS; round++) {
      const sealed = await objects.getRange(file, offset, length)
      if (sealed) return sealed
      const chunk = await chunkWith(objects, file, { first: offset, end: offset + length })
      const bytes = chunk && (await objects.getRange(chunk.key, offset - chunk.first, length))
      if (bytes) return bytes
      // Once may mean that the segment was sealed between the two questions; twice, that nothing is there.
      if (!chunk && ++misses === 2) return undefined
    }
    return undefined
  }
}

async function chunkWith(objects: ObjectStore, segment: string, wanted: Span) {
  for await (const { key } of objects.list(`${GROWING}${segment}/`, {
    after: keyBefore(segment, wanted.first),
    limit: CANDIDATES,
  })) {
    const chunk = parseChunk(key)
    if (chunk && chunk.first <= wanted.first && wanted.end <= chunk.end) return { key, ...chunk }
  }
  return undefined
}

/** All that is safe of a segment, a piece at a time, also while it grows or is being sealed. */
export async function* streamSegment(objects: ObjectStore, segment: string): AsyncGenerator<Buffer> {
  let offset = 0
  for (let misses = 0; misses < 2; ) {
    const before = offset
    for await (const bytes of objects.stream(segment, offset)) {
      offset += bytes.length
      yield bytes
    }
    const chunk = await chunkWith(objects, segment, { first: offset, end: offset + 1 })
    const bytes = chunk && (await objects.getRange(chunk.key, offset - chunk.first, chunk.end - offset))
    if (bytes) {
      offset += bytes.length
      yield bytes
    }
    misses = offset === before ? misses + 1 : 0
  }
}

/** The segments of a crawl: the sealed ones, then those that grow. None is missed or told twice while it is sealed. */
export async function* segmentsOf(objects: ObjectStore, crawl: string): AsyncGenerator<SegmentState> {
  const growing = await growingSegments(objects, crawlFolder(crawl))
  for await (const { key, bytes } of objects.list(crawlFolder(crawl))) {
    if (!parseSegment(key)) continue
    growing.delete(key)
    yield { file: key, bytes, sealed: true }
  }
  for (const file of growing) {
    const bytes = coverOf(await chunksOf(objects, file), 0).at(-1)?.end
    if (bytes !== undefined) yield { file, bytes, sealed: false }
    else {
      const sealed = await objects.head(file)
      if (sealed) yield { file, bytes: sealed.bytes, sealed: true }
    }
  }
}

/** Segments that have chunks, below a folder or of all crawls. */
export async function growingSegments(objects: ObjectStore, folder = ''): Promise<Set<string>> {
  const segments = new Set<string>()
  for await (const { key } of objects.list(GROWING + folder)) {
    const segment = parseChunk(key)?.segment
    if (segment) segments.add(segment)
  }
  return segments
}
