import { constants, crc32, deflateRawSync } from 'node:zlib'

const blockBytes = 2 ** 20

/** A valid gzip member that inflates to `bytes` zeros (a multiple of 1 MiB), made from one repeated block. */
export function gzipBomb(bytes: number): Buffer {
  const zeros = Buffer.alloc(blockBytes)
  // A full flush ends at a byte and forgets what was before: the block can be repeated.
  const block = deflateRawSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const blocks = bytes / blockBytes
  let checksum = 0
  for (let i = 0; i < blocks; i++) checksum = crc32(zeros, checksum)
  const header = Buffer.from('1f8b0800000000000003', 'hex')
  const lastBlock = Buffer.from('0300', 'hex')
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(bytes % 2 ** 32, 4)
  return Buffer.concat([header, ...Array.from({ length: blocks }, () => block), lastBlock, trailer])
}
