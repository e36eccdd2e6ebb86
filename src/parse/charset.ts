import { isAscii, isUtf8 } from 'node:buffer'
import { declaredCharset } from './declared-charset.ts'
import { decode } from './decode.ts'
import { detectLegacy } from './detected-charset.ts'
import { labelOf } from './encodings.ts'
import { malformedOutweighsUtf8 } from './utf8.ts'

/** A document in UTF-8 (not always well-formed), and the encoding that it came in. */
export interface Decoded {
  readonly bytes: Buffer
  /** Name as in the WHATWG encoding standard, lower case. */
  readonly charset: string
  /** False: it may be all the same. */
  readonly isWellFormed: boolean
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
    if (charset !== 'utf-8') return decoded(body, charset)
    const isWellFormed = isUtf8(body)
    if (isWellFormed || !malformedOutweighsUtf8(body)) return { bytes: body, charset, isWellFormed }
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
  return { bytes: decode(body, charset), charset, isWellFormed: false }
}

function detect(body: Buffer): string {
  if (isAscii(body)) return body.includes(SHIFT_OUT_OF_ASCII) ? 'iso-2022-jp' : 'utf-8'
  if (isUtf8(body) || !malformedOutweighsUtf8(body)) return 'utf-8'
  return detectLegacy(body)
}

/** The escape sequence that ISO-2022-JP, all of whose bytes look like ASCII, cannot do without. */
const SHIFT_OUT_OF_ASCII = '\x1b$'
