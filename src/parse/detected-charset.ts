import { isAscii } from 'node:buffer'
import { createRequire } from 'node:module'
import { decode } from './decode.ts'
import { labelOf } from './encodings.ts'
import { END_OF_INPUT, Scanner, TEXT } from './scanner.ts'

const require = createRequire(import.meta.url)

/** Loaded for the first page that does not say what it is: most crawls find none. */
const guesses = (sample: Buffer) => (require('chardet') as typeof import('chardet')).analyse(sample)

/** Bytes looked at: enough for any language, little enough for a page of a megabyte. */
const SAMPLE_BYTES = 4096

/** The likeliest encoding of text that is not UTF-8: the first guess that can be true. */
export function detectLegacy(body: Buffer): string {
  const sample = telltale(body)
  for (const { name } of guesses(sample)) {
    const charset = labelOf(name)
    if (charset === undefined || charset === 'utf-8' || charset === 'replacement' || isAscii(sample)) continue
    if (isPossible(sample, charset)) return charset
  }
  return 'windows-1252'
}

/** Texts with bytes beyond ASCII: markup and scripts are the same in all encodings. */
function telltale(body: Buffer): Buffer {
  const scanner = new Scanner(body)
  const texts: Buffer[] = []
  let bytes = 0
  for (let token = scanner.next(); token !== END_OF_INPUT && bytes < SAMPLE_BYTES; token = scanner.next()) {
    if (token !== TEXT) continue
    const text = body.subarray(scanner.start, Math.min(scanner.end, scanner.start + SAMPLE_BYTES))
    if (isAscii(text)) continue
    texts.push(text)
    bytes += text.length
  }
  return bytes > 0 ? Buffer.concat(texts) : body.subarray(0, SAMPLE_BYTES)
}

/**
 * Most sequences of bytes are no text at all in the encodings of East Asia; a guess may be wrong about one in fifty. Almost
 * any are half-width katakana in Shift_JIS, which nobody writes whole texts in.
 */
function isPossible(sample: Buffer, charset: string): boolean {
  const text = decode(sample, charset).toString()
  let wrong = 0
  let halfWidth = 0
  for (const char of text) {
    if (char === '\ufffd') wrong++
    else if (char >= '\uff61' && char <= '\uff9f') halfWidth++
  }
  return wrong * 50 <= text.length && halfWidth * 4 <= text.length
}
