import type { Transform } from 'node:stream'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'

const DECODERS = new Map<string, (body: Buffer) => Transform>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', (body) => (isZlibStream(body) ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => zlib.createZstdDecompress()],
])
const MAX_LAYERS = 3

/**
 * Undoes a Content-Encoding, yielding at most `maxBytes`. A body that was cut or is damaged yields what could be decoded
 * before; one whose encoding is unknown or false is answered as it is.
 */
export async function decodeBody(rawBody: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  let body = rawBody
  for (const layer of layers.slice(-MAX_LAYERS).reverse()) {
    const decoder = DECODERS.get(layer)
    if (!decoder || body.length === 0) break
    body = (await decodeLayer(body, decoder(body), maxBytes)) ?? body
  }
  return body.length > maxBytes ? body.subarray(0, maxBytes) : body
}

/** Some servers send raw deflate under this name; a zlib stream begins with a multiple of 31 (RFC 1950). */
const isZlibStream = (body: Buffer): boolean => body.length >= 2 && body.readUInt16BE() % 31 === 0

async function decodeLayer(body: Buffer, decoder: Transform, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  const source = Readable.from([body], { objectMode: false })
  try {
    source.pipe(decoder)
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBytes) break
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const isDecoderFault = /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_)/.test(code)
    if (!isDecoderFault) throw error
    if (bytes === 0) return undefined
  }
  return Buffer.concat(chunks, bytes)
}
