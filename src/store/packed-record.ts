import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { byteLengthOf } from '../parse/page-text.ts'
import { type ReusedCodec, reusedZstd } from '../reused-codec.ts'
import type { FreshRecord, UrlRecord } from './url-record.ts'

/** Text as it is (JSON), bytes compressed. */
export type PackedRecord = string | Uint8Array

/** Below this a frame costs more than it saves. */
const WORTH_COMPRESSING = 512
/** `http://a.b/`, with its quotation marks and a comma. */
const SHORTEST_LINK = 14

// The window holds the usual record whole; a larger one only makes each call prepare more memory. The table of 16 KiB stays
// in the nearest cache, which is worth more than the hundredth that a larger one would save.
const FAST = {
  chunkSize: 16 * 1024,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 12,
  },
}

/**
 * A record as it is stored. Long ones become one zstd frame of three parts: text and links as plain lines, for as JSON
 * they would cost as much as their compression does, the rest as JSON, and the lengths of the first two. Bytes are valid
 * until the next record is packed.
 */
export function pack(record: FreshRecord): PackedRecord {
  if (isShort(record)) {
    const json = JSON.stringify(record)
    if (json.length < WORTH_COMPRESSING) return json
  }
  return compressed(laidOut(record))
}

export function unpack(packed: PackedRecord): UrlRecord {
  return typeof packed === 'string' ? JSON.parse(packed) : readParts(zstdDecompressSync(packed))
}

/** So far as that is seen at a glance: no link is shorter. */
const isShort = ({ text, links }: FreshRecord) => byteLengthOf(text) + links.length * SHORTEST_LINK < WORTH_COMPRESSING

const TRAILER_BYTES = 8
/** Fit all but the longest, which get one of their own. */
const usualSheet = Buffer.allocUnsafeSlow(256 * 1024)
const usualFrame = Buffer.allocUnsafeSlow(128 * 1024)

/** Valid until the next one is laid out. */
function laidOut(record: FreshRecord): Buffer {
  const { text, links } = record
  const lines = links.join('\n')
  // What does not survive as plain lines stays in the JSON.
  const keptText = typeof text !== 'string' || text.isWellFormed() ? undefined : text
  const keptLinks = areLines(links) && lines.isWellFormed() ? undefined : links
  const json = JSON.stringify({ ...record, text: keptText, links: keptLinks })
  const sheet = fitting(usualSheet, byteLengthOf(text) + 3 * (lines.length + json.length) + TRAILER_BYTES)
  const textBytes = typeof text === 'string' ? sheet.write(text) : text.bytes.copy(sheet)
  const linesBytes = sheet.write(lines, textBytes)
  let end = textBytes + linesBytes
  end += sheet.write(json, end)
  end = sheet.writeUInt32LE(textBytes, end)
  end = sheet.writeUInt32LE(linesBytes, end)
  return sheet.subarray(0, end)
}

const areLines = (links: readonly string[]) => links.every((link) => link !== '' && !link.includes('\n'))

const fitting = (usual: Buffer, bytes: number) => (bytes <= usual.length ? usual : Buffer.allocUnsafeSlow(bytes))

function readParts(bytes: Buffer): UrlRecord {
  const trailer = bytes.length - TRAILER_BYTES
  const textEnd = bytes.readUInt32LE(trailer)
  const linesEnd = textEnd + bytes.readUInt32LE(trailer + 4)
  const rest = JSON.parse(bytes.toString('utf8', linesEnd, trailer))
  const lines = bytes.toString('utf8', textEnd, linesEnd)
  return { text: bytes.toString('utf8', 0, textEnd), links: lines === '' ? [] : lines.split('\n'), ...rest }
}

let compress: ReusedCodec | 'not tried' | undefined = 'not tried'

function compressed(bytes: Buffer): Buffer {
  if (compress === 'not tried') compress = reusedZstd(FAST)
  if (!compress) return zstdCompressSync(bytes, FAST)
  // No frame is larger than its content by more than a 256th and its header.
  const frame = fitting(usualFrame, bytes.length + (bytes.length >> 8) + 128)
  const step = compress(bytes, 0, frame)
  return step.bytes < 0 ? zstdCompressSync(bytes, FAST) : frame.subarray(0, step.bytes)
}
