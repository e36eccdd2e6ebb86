import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type Chunks = AsyncIterable<string | Buffer>

/**
 * Sends an export to where it belongs, never faster than that takes it. `keepOpen` is for standard output, which others
 * may want to write to afterwards.
 */
export async function writeChunks(chunks: Chunks, out: Writable, keepOpen = false): Promise<void> {
  await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 1 }), out, { end: !keepOpen })
}

const JOINED_CHARS = 64 * 1024

/** Lines in chunks worth a system call. */
export async function* joined(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < JOINED_CHARS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
