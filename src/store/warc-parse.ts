/** One WARC record as read back; nothing about its content is trusted. */
export interface ParsedRecord {
  readonly type: string
  /** The value of a named field, in any case; `undefined` when the record has none. */
  field(name: string): string | undefined
  readonly block: Buffer
}

const HEAD_END = '\r\n\r\n'

/** `undefined`: not a WARC record, or one that ends before its Content-Length. */
export function parseWarcRecord(bytes: Buffer): ParsedRecord | undefined {
  const head = parseWarcHead(bytes)
  if (!head) return undefined
  const blockBytes = Number(head.field('content-length') ?? Number.NaN)
  if (!Number.isSafeInteger(blockBytes) || blockBytes < 0 || head.headBytes + blockBytes > bytes.length)
    return undefined
  return { ...head, block: bytes.subarray(head.headBytes, head.headBytes + blockBytes) }
}

export interface ParsedHead extends Omit<ParsedRecord, 'block'> {
  readonly headBytes: number
}

/** The named fields alone: enough to know a record from the first bytes of its member. */
export function parseWarcHead(bytes: Buffer): ParsedHead | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1 || !bytes.subarray(0, 7).equals(Buffer.from('WARC/1.'))) return undefined
  const fields = new Map<string, string>()
  for (const line of bytes.toString('utf8', 0, end).split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const field = (name: string) => fields.get(name.toLowerCase())
  return { type: field('warc-type') ?? '', field, headBytes: end + HEAD_END.length }
}
