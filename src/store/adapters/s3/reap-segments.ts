import { abortUpload, unfinishedUploads } from '../../../engines/s3/multipart.ts'
import type { ObjectStore } from '../../../engines/s3/objects.ts'
import { growingSegments } from './read-segment.ts'
import { sealSegment } from './seal-segment.ts'
import { parseSegment } from './segment-name.ts'

export interface ReapOptions {
  /** Asked after a worker's segment was seen: who writes must have been told to be alive before. */
  readonly isAlive: (worker: string) => boolean | Promise<boolean>
}

export interface Reaped {
  /** Segments of dead workers that were sealed, or whose sealing was brought to its end. */
  readonly segments: readonly string[]
  /** Uploads that a dead worker, or one that reaped, has left half done. */
  readonly abortedUploads: number
}

/**
 * Finishes what dead workers have left, in all crawls: seals their segments, aborts their uploads, deletes their chunks.
 * May be killed at any instant, repeated, and run twice at once; what was flushed can be read before, meanwhile and
 * after. Segments of living workers are not touched.
 */
export async function reapSegments(objects: ObjectStore, { isAlive }: ReapOptions): Promise<Reaped> {
  const answers = new Map<string, boolean>()
  const isOrphan = async (key: string): Promise<boolean> => {
    const worker = parseSegment(key.replace(/\.cdxj$/, '.warc.gz'))?.worker
    if (worker === undefined) return false
    const alive = answers.get(worker) ?? (await isAlive(worker))
    answers.set(worker, alive)
    return !alive
  }
  const segments: string[] = []
  for (const segment of await growingSegments(objects)) {
    if (!(await isOrphan(segment))) continue
    await sealSegment(objects, segment)
    segments.push(segment)
  }
  // Last: an upload of somebody who reaps at the same time is of use until the segment is sealed.
  let abortedUploads = 0
  for await (const upload of unfinishedUploads(objects.connection, 'crawl=')) {
    if (!(await isOrphan(upload.key))) continue
    await abortUpload(objects.connection, upload)
    abortedUploads++
  }
  return { segments, abortedUploads }
}
