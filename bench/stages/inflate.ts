import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { giveBackBuffer } from '../../src/fetch/body-buffers.ts'
import { decodeBody } from '../../src/fetch/http/decode-body.ts'
import type { Stage, Way } from './measure.ts'
import { optional } from './optional.ts'

const LIMITS = { maxBytes: 10 * 1024 * 1024, maxInflation: 200 }
const gunzipLater = promisify<Buffer, Buffer>(gunzip)

const inflating = (name: string, inflate: (raw: Buffer) => unknown): Way => ({
  name,
  open: () => ({ page: ({ exchange }) => inflate(exchange.rawBody) }),
})

export const inflate: Stage = {
  name: 'inflate',
  async ways() {
    const fflate = await optional<{ gunzipSync(bytes: Uint8Array): Uint8Array }>('fflate')
    const pako = await optional<{ ungzip(bytes: Uint8Array): Uint8Array }>('pako')
    return [
      inflating('ours', (raw) => {
        const decoded = decodeBody(raw, 'gzip', LIMITS)
        if ('body' in decoded) giveBackBuffer(decoded.body)
      }),
      inflating('ours, never given back', (raw) => decodeBody(raw, 'gzip', LIMITS)),
      inflating('gunzipSync', (raw) => gunzipSync(raw)),
      inflating('gunzipSync, 64 KB chunks', (raw) => gunzipSync(raw, { chunkSize: 64 * 1024 })),
      inflating('gunzip, on the thread pool', (raw) => gunzipLater(raw)),
      ...(fflate ? [inflating('fflate', (raw) => fflate.gunzipSync(raw))] : []),
      ...(pako ? [inflating('pako', (raw) => pako.ungzip(raw))] : []),
    ]
  },
}
