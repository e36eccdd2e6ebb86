import { UsageError } from '../../../config/usage-error.ts'

/**
 * Names below the prefix of the bucket. A sealed segment lies at
 * `crawl=C/date=2025-01-31/orbweaver-20250131235959-00001-1f2e3d4c-WORKER.warc.gz`, its index beside it. While it grows there are
 * only its chunks, at `growing/<segment>/<end>-<first>`: the bytes of the segment from `first` to `end`. The end comes
 * first, so that the chunk that holds an offset is the next key behind that offset.
 */
export interface SegmentName {
  readonly crawl: string
  readonly worker: string
}

export interface ChunkName {
  readonly segment: string
  readonly first: number
  /** Behind the last byte. */
  readonly end: number
}

export const GROWING = 'growing/'
const ID = '[A-Za-z0-9][A-Za-z0-9._-]{0,99}'
const SEGMENT = `crawl=(?<crawl>${ID})/date=\\d{4}-\\d\\d-\\d\\d/orbweaver-\\d{14}-\\d{5,}-[0-9a-f]{8}-(?<worker>${ID})\\.warc\\.gz`
const segmentPattern = new RegExp(`^${SEGMENT}$`)
const chunkPattern = new RegExp(`^${GROWING}(?<segment>${SEGMENT})/(?<end>\\d{16})-(?<first>\\d{16})$`)
const idPattern = new RegExp(`^${ID}$`)

/**
 * Unique, since no process counts the same serial twice. The salt is of one process: another that took its worker's name
 * within the same second must not write to the same segment.
 */
export function segmentName({ crawl, worker }: SegmentName, at: number, serial: number, salt: string): string {
  const seconds = new Date(at).toISOString().slice(0, 19).replace(/\D/g, '')
  const name = `orbweaver-${seconds}-${String(serial).padStart(5, '0')}-${salt}-${worker}.warc.gz`
  return `${crawlFolder(crawl)}date=${dayOf(at)}/${name}`
}

export const crawlFolder = (crawl: string): string => `crawl=${crawl}/`

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const dayOfSegment = (segment: string): string => /\/date=([\d-]{10})\//.exec(segment)?.[1] ?? ''

/** `undefined`: no name of ours, whoever made it up. */
export function parseSegment(segment: string): SegmentName | undefined {
  const groups = segmentPattern.exec(segment)?.groups
  return groups && { crawl: groups.crawl!, worker: groups.worker! }
}

export const chunkFolder = (segment: string): string => `${GROWING}${segment}/`

export const chunkKey = ({ segment, first, end }: ChunkName): string =>
  `${chunkFolder(segment)}${digits(end)}-${digits(first)}`

/** All chunks that end behind `offset` sort behind this key. */
export const keyBefore = (segment: string, offset: number): string => `${chunkFolder(segment)}${digits(offset)}~`

export function parseChunk(key: string): ChunkName | undefined {
  const groups = chunkPattern.exec(key)?.groups
  if (!groups) return undefined
  const chunk = { segment: groups.segment!, first: Number(groups.first), end: Number(groups.end) }
  return chunk.first < chunk.end ? chunk : undefined
}

export const indexOfSegment = (segment: string): string => segment.replace(/\.warc\.gz$/, '.cdxj')

/** Ids become parts of keys, and are read out of them again. */
export function checkId(what: 'crawl' | 'worker', id: string): string {
  if (idPattern.test(id)) return id
  throw new UsageError(
    `"${id}" cannot name a ${what} in the archive: use letters, digits, dots and dashes, at most 100.`,
  )
}

const digits = (offset: number): string => String(offset).padStart(16, '0')
