import { isUtf8 } from 'node:buffer'

/** What RFC 9309 requires a crawler to read; the rest is ignored, with the line that the limit cuts. */
export const MAX_ROBOTS_BYTES = 500 * 1024

/** Eight times the longest URL of old browsers: what stands behind it in a line is ignored, as Google's parser does. */
const MAX_LINE_BYTES = 2083 * 8 - 1

/** The lines of a robots.txt, as far as it is read. They end with CR, LF or both. */
export function robotsLines(file: string | Buffer): string[] {
  const isSmall = typeof file === 'string' && file.length * 3 <= MAX_ROBOTS_BYTES
  const text = isSmall ? file.replace(/^\ufeff/, '') : limitedText(Buffer.from(file))
  return text.split(/\r\n|\r|\n/).map(limitedLine)
}

/**
 * The bytes of a robots.txt as text. Those that are no UTF-8 become escapes, which is how rules are compared with URLs: a
 * file in Latin-1 still speaks of the paths it means.
 */
export function robotsText(bytes: Buffer): string {
  const body = bytes.subarray(byteOrderMarkBytes(bytes))
  return isUtf8(body) ? body.toString() : escapedText(body)
}

function limitedText(bytes: Buffer): string {
  const text = robotsText(bytes.subarray(0, MAX_ROBOTS_BYTES))
  if (bytes.length <= MAX_ROBOTS_BYTES) return text
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
}

/** What follows a NUL is ignored too: Google's parser sees the end of the line there. */
function limitedLine(line: string): string {
  const end = line.indexOf('\0')
  const seen = end < 0 ? line : line.slice(0, end)
  if (seen.length * 3 <= MAX_LINE_BYTES) return seen
  const bytes = Buffer.from(seen)
  return bytes.length <= MAX_LINE_BYTES ? seen : escapedText(bytes.subarray(0, MAX_LINE_BYTES))
}

/** Some files begin with a part of the mark only. */
function byteOrderMarkBytes(bytes: Buffer): number {
  const mark = [0xef, 0xbb, 0xbf]
  const firstOther = mark.findIndex((byte, index) => bytes[index] !== byte)
  return firstOther < 0 ? mark.length : firstOther
}

function escapedText(bytes: Buffer): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const end = soundUntil(bytes, at)
    text += bytes.toString('utf8', at, end)
    if (end < bytes.length) text += `%${bytes[end]!.toString(16).toUpperCase()}`
    at = end + 1
  }
  return text
}

/** The place of the first byte that is not part of UTF-8. */
function soundUntil(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length) {
    const lead = bytes[at]!
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
    if (length === 0 || at + length > bytes.length || (length > 1 && !isUtf8(bytes.subarray(at, at + length)))) break
    at += length
  }
  return at
}
