import { decode } from './decode.ts'

/** By character: its bytes. */
type Encoder = ReadonlyMap<string, readonly number[]>

/** Encodings in which a character is one byte or two. Queries of pages in other ones are in UTF-8. */
const DOUBLE = new Set(['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis'])
const IN_UTF8 = new Set(['utf-8', 'utf-16le', 'utf-16be', 'replacement', 'iso-2022-jp'])

const encoders = new Map<string, Encoder>()

/**
 * A reference with its query written as a browser sends it from a page in this encoding: characters beyond ASCII as bytes
 * of that encoding, those that it lacks as `&#8224;` (URL standard, "percent-encode after encoding"). Servers of old sites
 * expect no other spelling.
 */
export function withEncodedQuery(reference: string, charset: string): string {
  const mark = reference.indexOf('?')
  if (mark < 0 || IN_UTF8.has(charset)) return reference
  const hash = reference.indexOf('#')
  const end = hash < 0 ? reference.length : hash
  if (mark > end) return reference
  const query = reference.slice(mark, end)
  if (!/[^\0-\x7f]/.test(query)) return reference
  const encoder = encoderOf(charset)
  const encoded = query.replace(/[^\0-\x7f]/gu, (character) => escaped(encoder.get(character), character))
  return reference.slice(0, mark) + encoded + reference.slice(end)
}

function escaped(bytes: readonly number[] | undefined, character: string): string {
  if (bytes === undefined) return `%26%23${character.toWellFormed().codePointAt(0)}%3B`
  return bytes.map((byte) => (mayStand(byte) ? String.fromCharCode(byte) : escapeOf(byte))).join('')
}

const escapeOf = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** Bytes that the second half of a character may leave bare in a query. */
const mayStand = (byte: number) => byte > 0x20 && byte < 0x7f && !`"#<>'`.includes(String.fromCharCode(byte))

function encoderOf(charset: string): Encoder {
  let encoder = encoders.get(charset)
  if (encoder === undefined) {
    encoder = madeEncoder(charset)
    encoders.set(charset, encoder)
  }
  return encoder
}

/** The platform only decodes, so its tables are turned round. The first place of a character counts. */
function madeEncoder(charset: string): Encoder {
  const encoder = new Map<string, readonly number[]>()
  const take = (...bytes: readonly number[]) => {
    const text = decode(Buffer.from(bytes), charset).toString()
    const isOne = text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1)
    if (isOne && text !== '\ufffd' && !encoder.has(text)) encoder.set(text, bytes)
  }
  for (let byte = 0x80; byte <= 0xff; byte++) take(byte)
  if (!DOUBLE.has(charset)) return encoder
  // Big5 is written without the rows of Hong Kong, which only readers know.
  for (let lead = charset === 'big5' ? 0xa1 : 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) take(lead, trail)
  if (charset === 'shift_jis') encoder.set('\u2212', encoder.get('\uff0d')!)
  return encoder
}
