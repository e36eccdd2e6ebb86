import { MIN_PART_BYTES, type Part, type Published, publish, type Replaces } from '../../../engines/s3/multipart.ts'
import type { ObjectHead, ObjectStore } from '../../../engines/s3/objects.ts'
import { gate } from '../../../gate.ts'
import { coverOf, cutInParts, groupedInParts, type Piece, type Span } from './chunks.ts'
import { chunkFolder, indexOfSegment, parseChunk } from './segment-name.ts'

/** An object that has bytes of the segment from `first` to `end`, and behind them index lines. */
export interface Source extends Span {
  readonly key: string
  readonly indexBytes: number
}

const ROUNDS = 10
const REQUESTS_AT_ONCE = 8
/** S3 copies at most 5 GiB as one part, and several at once are sooner done. */
const MAX_COPY_BYTES = 512 * 1024 * 1024
const EQUAL_PART_BYTES = 8 * 1024 * 1024

/**
 * Makes the sealed object of a segment, then its index, then deletes the chunks they were made of: so at every instant
 * each byte can be read from one or the other. It starts from what lies in S3 and nothing else, hence it is the same for
 * the worker that wrote the segment and for whoever finishes a dead worker's; it may be killed and repeated, by several
 * at once. Should a worker that was thought dead write on, the next call joins its new chunks to the sealed object.
 * Answers the length of the sealed object; 0: there were no chunks.
 */
export async function sealSegment(objects: ObjectStore, segment: string): Promise<number> {
  for (let round = 0; round < ROUNDS; round++) {
    const chunks = await chunksOf(objects, segment)
    if (chunks.length === 0) return 0
    const sealed = await objects.head(segment)
    const pieces = coverOf(chunks, sealed?.bytes ?? 0)
    const end = pieces.at(-1)?.end ?? sealed?.bytes ?? 0
    if (pieces.length > 0 && (await compose(objects, segment, sealed, pieces)) === 'contested') continue
    const sealedChunks = chunks.filter((chunk) => chunk.end <= end)
    if ((await writeIndex(objects, segment, sealedChunks)) === 'contested') continue
    await removeAll(objects, sealedChunks)
    return end
  }
  throw new Error(`The segment ${segment} could not be sealed: others keep changing it.`)
}

/** The chunks of a segment that has not been sealed, or whose sealing was interrupted. */
export async function chunksOf(objects: ObjectStore, segment: string): Promise<readonly Source[]> {
  const chunks: Source[] = []
  for await (const { key, bytes } of objects.list(chunkFolder(segment))) {
    const chunk = parseChunk(key)
    if (chunk) chunks.push({ key, first: chunk.first, end: chunk.end, indexBytes: bytes - (chunk.end - chunk.first) })
  }
  return chunks
}

/** On condition that nobody else has sealed it meanwhile: with fewer chunks, a late one would take bytes away. */
function compose(
  objects: ObjectStore,
  segment: string,
  sealed: ObjectHead | undefined,
  pieces: readonly Piece<Source>[],
): Promise<Published> {
  const before: Source | undefined = sealed && { key: segment, first: 0, end: sealed.bytes, indexBytes: 0 }
  const all = before ? [{ chunk: before, first: 0, end: before.end }, ...pieces] : pieces
  return publish(objects.connection, segment, partsFor(objects, all), replacing(sealed))
}

const replacing = (head: ObjectHead | undefined): Replaces => (head ? { etag: head.etag } : 'nothing')

function partsFor(objects: ObjectStore, pieces: readonly Piece<Source>[]): readonly Part[] {
  if (objects.connection.composeBy === 'upload')
    return cutInParts(pieces, EQUAL_PART_BYTES).map((group) => gathered(objects, group))
  return groupedInParts(pieces, MIN_PART_BYTES, MAX_COPY_BYTES).map((group) =>
    group.length === 1 ? copied(group[0]!) : gathered(objects, group),
  )
}

const copied = ({ chunk, first, end }: Piece<Source>): Part => ({
  kind: 'copy',
  key: chunk.key,
  offset: first - chunk.first,
  length: end - first,
})

const gathered = (objects: ObjectStore, pieces: readonly Piece<Source>[]): Part => ({
  kind: 'bytes',
  async read() {
    const bytes: Buffer[] = []
    for (const { chunk, first, end } of pieces) {
      const piece = await objects.getRange(chunk.key, first - chunk.first, end - first)
      if (!piece) return undefined
      bytes.push(piece)
    }
    return Buffer.concat(bytes)
  },
})

/** Held in memory: a segment ends before its lines become too many. Lines that an earlier sealing wrote are kept. */
async function writeIndex(objects: ObjectStore, segment: string, chunks: readonly Source[]): Promise<Published> {
  const key = indexOfSegment(segment)
  const head = await objects.head(key)
  const known = head && (await objects.get(key))?.toString('latin1')
  const ofChunks = await linesOf(objects, chunks)
  if (!ofChunks) return 'contested'
  const lines = new Set(`${known ?? ''}${ofChunks}`.split('\n'))
  lines.delete('')
  const text = [...lines]
    .sort()
    .map((line) => `${line}\n`)
    .join('')
  if (text === (known ?? '')) return 'published'
  const part: Part = { kind: 'bytes', read: async () => Buffer.from(text, 'latin1') }
  return publish(objects.connection, key, [part], replacing(head))
}

/** `undefined`: a chunk is gone, so somebody else has sealed the segment. */
async function linesOf(objects: ObjectStore, chunks: readonly Source[]): Promise<string | undefined> {
  const atOnce = gate(REQUESTS_AT_ONCE)
  const texts = await Promise.all(
    chunks.map(({ key, first, end, indexBytes }) =>
      atOnce.through(async () => (indexBytes === 0 ? Buffer.alloc(0) : objects.getRange(key, end - first, indexBytes))),
    ),
  )
  return texts.includes(undefined) ? undefined : texts.map((text) => text!.toString('latin1')).join('')
}

async function removeAll(objects: ObjectStore, chunks: readonly Source[]): Promise<void> {
  const atOnce = gate(REQUESTS_AT_ONCE)
  await Promise.all(chunks.map(({ key }) => atOnce.through(() => objects.remove(key))))
}
