import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Smaller answers fit a packet or two as they are. */
const leastBytes = 8192

const compress = promisify(gzip)
const packed = new WeakMap<object, Promise<Buffer>>()

/**
 * An answer as it travels: compressed where it is large and the reader can take it. What many are answered at once is
 * compressed once, in another thread. `undefined`: as it is.
 */
export function packedAnswer(answer: object, text: string, accepted: string | undefined): Promise<Buffer> | undefined {
  if (text.length < leastBytes || !/\bgzip\b/.test(accepted ?? '')) return undefined
  let bytes = packed.get(answer)
  if (bytes === undefined) {
    bytes = compress(text, { level: 4 })
    packed.set(answer, bytes)
  }
  return bytes
}
