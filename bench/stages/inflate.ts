import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { borrowBuffer, giveBackBuffer } from '../../src/fetch/body-buffers.ts'
import { decodeBody } from '../../src/fetch/http/decode-body.ts'
import { declaredBytes, gzipDataAt } from '../../src/fetch/http/deflate-frames.ts'
import { reusedInflate } from '../../src/reused-codec.ts'
import type { Stage, Way } from './measure.ts'
import { optional } from './optional.ts'

const LIMITS = { maxBytes: 10 * 1024 * 1024, maxInflation: 200 }
const gunzipLater = promisify<Buffer, Buffer>(gunzip)

const inflating = (name: string, inflate: (raw: Buffer) => unknown): Way => ({
  name,
  open: () => ({ page: ({ exchange }) => inflate(exchange.rawBody) }),
})

/** As `decodeBody` does it without WebAssembly. */
function reused(): Way[] {
  const codec = reusedInflate()
  if (codec === undefined) return []
  return [
    inflating('node:zlib, one codec for all', (raw) => {
      const output = borrowBuffer(declaredBytes(raw) + 1)
      codec(raw, gzipDataAt(raw), output)
      giveBackBuffer(output)
    }),
  ]
}

export const inflate: Stage = {
  name: 'inflate',
  async ways() {
    const fflate = await optional<{ gunzipSync(bytes: Uint8Array): Uint8Array }>('fflate')
    const pako = await optional<{ ungzip(bytes: Uint8Array): Uint8Array }>('pako')
    return [
      inflating('ours: WebAssembly, read where it lies', (raw) => {
        const decoded = decodeBody(raw, 'gzip', { ...LIMITS, givesBodyBack: true })
        if ('body' in decoded) giveBackBuffer(decoded.body)
      }),
      inflating('ours, copied out', (raw) => {
        const decoded = decodeBody(raw, 'gzip', LIMITS)
        if ('body' in decoded) giveBackBuffer(decoded.body)
      }),
      inflating('ours, never given back', (raw) => decodeBody(raw, 'gzip', LIMITS)),
      ...reused(),
      inflating('gunzipSync', (raw) => gunzipSync(raw)),
      inflating('gunzipSync, 64 KB chunks', (raw) => gunzipSync(raw, { chunkSize: 64 * 1024 })),
      inflating('gunzip, on the thread pool', (raw) => gunzipLater(raw)),
      ...(fflate ? [inflating('fflate', (raw) => fflate.gunzipSync(raw))] : []),
      ...(pako ? [inflating('pako', (raw) => pako.ungzip(raw))] : []),
    ]
  },
}
