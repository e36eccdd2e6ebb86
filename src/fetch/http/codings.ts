import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { type ReusedCodec, reusedInflate } from '../../reused-codec.ts'
import { borrowBuffer, giveBackBuffer } from '../body-buffers.ts'
import { declaredBytes, gzipDataAt, gzipTrailerBytes, zlibDataAt } from './deflate-frames.ts'
import { borrowOutput, wasmInflate } from './wasm/wasm-inflate.ts'

/** One content coding: in one step for whole bodies, as a stream to save what can be saved of others. */
export interface Coding {
  /** `isGivenBack`: the body may lie in the decoder's own memory until then. */
  decodeSync(input: Buffer, maxBytes: number, isGivenBack?: boolean): Buffer
  decode(input: Buffer, maxBytes: number): Promise<Buffer>
  /** A decoder that does not mind an early end, and the offset at which its input begins. */
  open(input: Buffer): { readonly decoder: Decoder; readonly from: number }
}

export type Decoder = zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress

/** Measured cheapest for pages of 100 KB: the default of 16 KB costs nearly twice as much. */
const chunkSize = 64 * 1024

/** The length that a gzip body declares is the server's word: it decides about speed only, and within narrow bounds. */
const maxDeclaredBytes = 1024 * 1024

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const brotliDecompress = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)
const zstdDecompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

/** Deflate data without regard to what frames it: check sums are for others, and junk may follow. */
function unframed(dataAt: (input: Buffer) => number): Coding {
  return {
    decodeSync: (input, maxOutputLength) =>
      zlib.inflateRawSync(input.subarray(dataAt(input)), { chunkSize, maxOutputLength }),
    decode: (input, maxOutputLength) => inflateRaw(input.subarray(dataAt(input)), { chunkSize, maxOutputLength }),
    open: (input) => ({
      decoder: zlib.createInflateRaw({ chunkSize, finishFlush: zlib.constants.Z_SYNC_FLUSH }),
      from: dataAt(input),
    }),
  }
}

const deflate = unframed(zlibDataAt)
const gzipMember = unframed(gzipDataAt)

/** Several members in a row are one body; a member with a wrong check sum or with junk behind it is taken for itself. */
const gzip: Coding = {
  decodeSync(input, maxOutputLength, isGivenBack = false) {
    const body = inflateUsual(input, maxOutputLength, isGivenBack)
    if (body) return body
    try {
      return zlib.gunzipSync(input, { chunkSize, maxOutputLength })
    } catch (error) {
      if (!isBrokenFrame(error)) throw error
      return gzipMember.decodeSync(input, maxOutputLength)
    }
  },
  decode: (input, maxOutputLength) =>
    gunzip(input, { chunkSize, maxOutputLength }).catch((error: unknown) => {
      if (!isBrokenFrame(error)) throw error
      return gzipMember.decode(input, maxOutputLength)
    }),
  open: gzipMember.open,
}

let inflate: ReusedCodec | 'not tried' | undefined = 'not tried'

/**
 * The usual gzip body: one sound member of the length that it declares, into one buffer that its reader may give back.
 * Its check sum is not compared, since a wrong one would change nothing. `undefined`: not the usual one.
 */
function inflateUsual(input: Buffer, maxBytes: number, isGivenBack: boolean): Buffer | undefined {
  const from = gzipDataAt(input)
  const bytes = declaredBytes(input)
  if (from === 0 || bytes === 0 || bytes > Math.min(maxDeclaredBytes, maxBytes)) return undefined
  const output = (isGivenBack ? borrowOutput() : undefined) ?? borrowBuffer(bytes + 1)
  if (inflate === 'not tried') inflate = wasmInflate() ?? reusedInflate()
  const step = inflate?.(input, from, output)
  if (step?.bytes === bytes && step.unreadBytes === gzipTrailerBytes) return output.subarray(0, bytes)
  giveBackBuffer(output)
  return undefined
}

function isBrokenFrame(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR'
}

const brotli: Coding = {
  decodeSync: (input, maxOutputLength) => zlib.brotliDecompressSync(input, { chunkSize, maxOutputLength }),
  decode: (input, maxOutputLength) => brotliDecompress(input, { chunkSize, maxOutputLength }),
  open: () => ({
    decoder: zlib.createBrotliDecompress({ chunkSize, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    from: 0,
  }),
}

/** RFC 9659 allows windows of 8 MiB; the library would allocate 128 at a server's word. */
const params = { [zlib.constants.ZSTD_d_windowLogMax]: 23 }

const zstd: Coding = {
  decodeSync: (input, maxOutputLength) => zlib.zstdDecompressSync(input, { chunkSize, params, maxOutputLength }),
  decode: (input, maxOutputLength) => zstdDecompress(input, { chunkSize, params, maxOutputLength }),
  open: () => ({
    decoder: zlib.createZstdDecompress({ chunkSize, params, finishFlush: zlib.constants.ZSTD_e_flush }),
    from: 0,
  }),
}

const codings = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflate],
  ['br', brotli],
  ['zstd', zstd],
])

/** Codings that we do not speak and did not ask for. Other words are no codings but mistakes (`utf-8`, `none`). */
const foreign = new Set(['compress', 'x-compress', 'exi', 'pack200-gzip', 'aes128gcm', 'dcb', 'dcz', 'bzip2', 'xz'])

/** The codings of a `Content-Encoding`, in the order in which they are undone; or the name of one that we cannot undo. */
export function codingsOf(contentEncoding: string): readonly Coding[] | string {
  const only = codings.get(contentEncoding)
  if (only) return [only]
  const found: Coding[] = []
  for (const part of contentEncoding.toLowerCase().split(',')) {
    const name = part.trim()
    const coding = codings.get(name)
    if (coding) found.push(coding)
    else if (foreign.has(name)) return name
  }
  return found.reverse()
}
