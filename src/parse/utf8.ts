/** Are there more malformed sequences than sound ones of several bytes? Then it is hardly UTF-8. */
export function malformedOutweighsUtf8(bytes: Buffer): boolean {
  let sound = 0
  let malformed = 0
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i]!
    if (lead < 0x80) continue
    const length =
      lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0
    let read = 1
    while (read < length && (bytes[i + read]! & 0xc0) === 0x80) read++
    // A sequence that the end of the input cuts off says nothing.
    if (length > 0 && read === length) sound++
    else if (length === 0 || i + read < bytes.length) malformed++
    i += read - 1
  }
  return malformed > sound
}

/**
 * windows-1252, the encoding of most pages that are not in UTF-8. By hand because the platform's decoder took it for
 * ISO 8859-1 in several releases of Node, which loses the euro sign and all typographic quotes.
 */
export function windows1252ToUtf8(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length * 3)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte < 0x80) {
      out[length++] = byte
      continue
    }
    const code = byte < 0xa0 ? HIGH_CONTROLS[byte - 0x80]! : byte
    if (code >= 0x800) {
      out[length++] = 0xe0 | (code >> 12)
      out[length++] = 0x80 | ((code >> 6) & 0x3f)
    } else out[length++] = 0xc0 | (code >> 6)
    out[length++] = 0x80 | (code & 0x3f)
  }
  return out.subarray(0, length)
}

/** What windows-1252 has where ISO 8859-1 has control characters; also the meaning of `&#128;` to `&#159;` in HTML. */
export const HIGH_CONTROLS: readonly number[] = [
  0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
  0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
]

/** Answers the place behind the character. */
export function writeUtf8(out: Buffer, at: number, code: number): number {
  if (code < 0x80) {
    out[at] = code
    return at + 1
  }
  if (code < 0x800) {
    out[at] = 0xc0 | (code >> 6)
    out[at + 1] = 0x80 | (code & 0x3f)
    return at + 2
  }
  if (code < 0x10000) {
    out[at] = 0xe0 | (code >> 12)
    out[at + 1] = 0x80 | ((code >> 6) & 0x3f)
    out[at + 2] = 0x80 | (code & 0x3f)
    return at + 3
  }
  out[at] = 0xf0 | (code >> 18)
  out[at + 1] = 0x80 | ((code >> 12) & 0x3f)
  out[at + 2] = 0x80 | ((code >> 6) & 0x3f)
  out[at + 3] = 0x80 | (code & 0x3f)
  return at + 4
}
