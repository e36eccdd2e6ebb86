import { constants, crc32, deflateRawSync } from 'node:zlib'

/** Bytes, and their deflate blocks that refer to nothing before them and end on a byte: they may be joined to others. */
export interface Part {
  readonly plain: Buffer
  readonly deflated: Buffer
}

const level = 6
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

export function part(text: string): Part {
  const plain = Buffer.from(text)
  return { plain, deflated: deflateRawSync(plain, { level, finishFlush: constants.Z_FULL_FLUSH }) }
}

/** What stands before and after `middle` in one gzip member of all three: the middle is compressed once for many pages. */
export function joinedAround(
  start: Part,
  middle: Part,
  end: string,
): { readonly before: Buffer; readonly after: Buffer } {
  const last = Buffer.from(end)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(last, crc32(middle.plain, crc32(start.plain))), 0)
  trailer.writeUInt32LE(start.plain.length + middle.plain.length + last.length, 4)
  return {
    before: Buffer.concat([header, start.deflated]),
    after: Buffer.concat([deflateRawSync(last, { level }), trailer]),
  }
}
