import { isAscii, isUtf8 } from 'node:buffer'
import chardet from 'chardet'
import { declaredCharset } from './declared-charset.ts'
import { labelOf } from './encodings.ts'
import { malformedOutweighsUtf8, windows1252ToUtf8 } from './utf8.ts'

/** A document in UTF-8 (not always well-formed), and the encoding that it came in. */
export interface Decoded {
  readonly bytes: Buffer
  /** Name as in the WHATWG encoding standard, lower case. */
  readonly charset: string
}

/**
 * Bytes → UTF-8. In order: byte order mark, `Content-Type`, `<meta>`, XML declaration, detection. A label of UTF-8 that the
 * bytes disprove (more malformed than sound sequences) is passed over. Documents in UTF-8 are not copied.
 */
export function toUtf8(body: Buffer, contentType: string): Decoded {
  const marked = byteOrderMark(body)
  if (marked) return decoded(body.subarray(marked.bytes), marked.charset)
  for (const label of declaredCharset(body, contentType)) {
    const charset = labelOf(label)
    if (charset === undefined) continue
    if (charset !== 'utf-8' || isUtf8(body) || !malformedOutweighsUtf8(body)) return decoded(body, charset)
  }
  return decoded(body, detect(body))
}

function byteOrderMark(body: Buffer): { readonly bytes: number; readonly charset: string } | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return { bytes: 3, charset: 'utf-8' }
  if (body[0] === 0xfe && body[1] === 0xff) return { bytes: 2, charset: 'utf-16be' }
  if (body[0] === 0xff && body[1] === 0xfe) return { bytes: 2, charset: 'utf-16le' }
  return undefined
}

function decoded(body: Buffer, charset: string): Decoded {
  if (charset === 'utf-8') return { bytes: body, charset }
  // The standard's answer to encodings that were only ever used for attacks.
  if (charset === 'replacement') return { bytes: Buffer.from('\ufffd'), charset }
  if (charset === 'windows-1252') return { bytes: windows1252ToUtf8(body), charset }
  return { bytes: Buffer.from(new TextDecoder(charset).decode(body)), charset }
}

/** Bytes read to detect an encoding. */
const SAMPLE_BYTES = 4096

function detect(body: Buffer): string {
  const isSevenBit = isAscii(body)
  if (isSevenBit && !body.includes('\x1b$')) return 'utf-8'
  if (!isSevenBit && (isUtf8(body) || !malformedOutweighsUtf8(body))) return 'utf-8'
  const guess = chardet.detect(sample(body))
  const charset = guess === null ? undefined : labelOf(guess)
  return charset === undefined || charset === 'utf-8' || charset === 'replacement' ? 'windows-1252' : charset
}

/** Text around the bytes that tell encodings apart: markup is the same in all of them. */
function sample(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  let bytes = 0
  for (let i = 0; i < body.length && bytes < SAMPLE_BYTES; i++) {
    const byte = body[i]!
    if (byte < 0x80 && byte !== 0x1b) continue
    let end = i + 1
    let quiet = 0
    for (; end < body.length && quiet < 8 && end - i < SAMPLE_BYTES; end++) quiet = body[end]! < 0x80 ? quiet + 1 : 0
    const chunk = body.subarray(i, end)
    chunks.push(chunk)
    bytes += chunk.length
    i = end
  }
  return Buffer.concat(chunks)
}
