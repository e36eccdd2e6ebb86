import { constants, crc32, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib'

/**
 * One gzip member for each WARC record, so that any record can be read by its offset alone. Bytes that came compressed,
 * and records too short to gain, are wrapped in stored blocks: framing and checksum without the cost of deflating.
 */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const TRAILER_BYTES = 8
const BLOCK_HEAD_BYTES = 5
const MAX_STORED_BYTES = 0xffff
const WORTH_DEFLATING_BYTES = 2048

export function gzipMember(parts: readonly Buffer[], alreadyCompressed: boolean): Buffer {
  return Buffer.concat(memberParts(parts, alreadyCompressed))
}

/** The member as buffers in a row. Those given may be among them, so that a large body is not copied. */
export function memberParts(parts: readonly Buffer[], alreadyCompressed: boolean): readonly Buffer[] {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  if (alreadyCompressed || bytes < WORTH_DEFLATING_BYTES) return storedParts(parts, bytes)
  return [gzipSync(Buffer.concat(parts, bytes), { level: 1 })]
}

function storedParts(parts: readonly Buffer[], bytes: number): readonly Buffer[] {
  const frame = Buffer.allocUnsafe(frameBytes(parts))
  const member: Buffer[] = []
  let at = HEADER.copy(frame)
  let framed = 0
  let checksum = 0
  for (const part of parts) {
    checksum = crc32(part, checksum)
    for (let from = 0; from < part.length; from += MAX_STORED_BYTES) {
      const block = part.length <= MAX_STORED_BYTES ? part : part.subarray(from, from + MAX_STORED_BYTES)
      at = writeBlockHead(frame, at, false, block.length)
      if (isCopied(part)) at += block.copy(frame, at)
      else {
        member.push(frame.subarray(framed, at), block)
        framed = at
      }
    }
  }
  // An empty final block ends the stream, so that no block before it needs to know that it is the last.
  at = writeBlockHead(frame, at, true, 0)
  at = frame.writeUInt32LE(checksum, at)
  frame.writeUInt32LE(bytes % 2 ** 32, at)
  member.push(frame.subarray(framed))
  return member
}

/** A short part in a buffer of its own would cost more than to copy it. */
const isCopied = (part: Buffer): boolean => part.length < 4096

function frameBytes(parts: readonly Buffer[]): number {
  let bytes = HEADER.length + BLOCK_HEAD_BYTES + TRAILER_BYTES
  for (const part of parts) {
    bytes += BLOCK_HEAD_BYTES * Math.ceil(part.length / MAX_STORED_BYTES)
    if (isCopied(part)) bytes += part.length
  }
  return bytes
}

function writeBlockHead(member: Buffer, at: number, isLast: boolean, length: number): number {
  at = member.writeUInt8(isLast ? 1 : 0, at)
  at = member.writeUInt16LE(length, at)
  return member.writeUInt16LE(length ^ 0xffff, at)
}

export type MemberRead =
  | { readonly kind: 'member'; readonly content: Buffer; readonly memberBytes: number }
  | Unreadable

/** `incomplete`: the bytes end before the member does. */
type Unreadable = { readonly kind: 'incomplete' } | { readonly kind: 'damaged' }

/** Reads the member that `bytes` begin with; what follows it is left alone. */
export function readMember(bytes: Buffer, maxContentBytes: number): MemberRead {
  const start = deflateStart(bytes)
  if (typeof start !== 'number') return start
  const inflated = inflate(bytes.subarray(start), maxContentBytes)
  if (inflated.kind !== 'inflated') return inflated
  const trailer = start + inflated.deflatedBytes
  if (bytes.length < trailer + TRAILER_BYTES) return { kind: 'incomplete' }
  const intact =
    bytes.readUInt32LE(trailer) === crc32(inflated.content) &&
    bytes.readUInt32LE(trailer + 4) === inflated.content.length % 2 ** 32
  if (!intact) return { kind: 'damaged' }
  return { kind: 'member', content: inflated.content, memberBytes: trailer + TRAILER_BYTES }
}

/** What the first bytes of a member inflate to, as far as they reach and unchecked; empty for what is no member. */
export function memberStart(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) return Buffer.alloc(0)
    throw error
  }
}

type Inflated = { readonly kind: 'inflated'; readonly content: Buffer; readonly deflatedBytes: number }

function inflate(bytes: Buffer, maxContentBytes: number): Inflated | Unreadable {
  try {
    const options = { info: true, maxOutputLength: maxContentBytes, chunkSize: 64 * 1024 } as const
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as InflateInfo
    return { kind: 'inflated', content: buffer, deflatedBytes: engine.bytesWritten }
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' ? 'incomplete' : 'damaged' }
  }
}

/** What `info: true` answers (documented, but missing from the published types). */
interface InflateInfo {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const

/** Where the deflate stream begins: after a header whose optional fields (RFC 1952) other tools may have written. */
function deflateStart(bytes: Buffer): number | Unreadable {
  for (let i = 0; i < Math.min(3, bytes.length); i++) if (bytes[i] !== HEADER[i]) return { kind: 'damaged' }
  const flags = bytes[3] ?? 0
  let at = HEADER.length
  if (flags & FLAG.extra) at += 2 + (bytes.length >= at + 2 ? bytes.readUInt16LE(at) : 0)
  for (const flag of [FLAG.name, FLAG.comment]) {
    if (!(flags & flag)) continue
    const end = bytes.indexOf(0, at)
    if (end === -1) return { kind: 'incomplete' }
    at = end + 1
  }
  if (flags & FLAG.headerCrc) at += 2
  return at < bytes.length ? at : { kind: 'incomplete' }
}
