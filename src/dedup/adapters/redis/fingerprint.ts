import { bitCount } from '../../simhash.ts'

/** A SimHash as its four blocks of 16 bits. Two that differ in at most 3 bits have a block in common. */
export type Fingerprint = readonly [number, number, number, number]

export const BLOCKS = [0, 1, 2, 3] as const
export type Block = (typeof BLOCKS)[number]

/** In a bucket the block that all members share is left out. */
export const MEMBER_BYTES = 6

/** As in the embedded adapter: full at 33 million evenly spread originals, and a crowded one costs no more than others. */
export const MAX_MEMBERS = 512

const MAX_DISTANCE_BITS = 3

/** `undefined`: the text is too short to have one, or this is none. */
export function fingerprintOf(simhash: string): Fingerprint | undefined {
  if (!/^[0-9a-f]{16}$/.test(simhash)) return undefined
  const block = (at: Block) => Number.parseInt(simhash.slice(at * 4, at * 4 + 4), 16)
  return [block(0), block(1), block(2), block(3)]
}

export function hexOf(fingerprint: Fingerprint): string {
  return fingerprint.map((block) => block.toString(16).padStart(4, '0')).join('')
}

export function bytesOf(fingerprint: Fingerprint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  for (const block of BLOCKS) bytes.writeUInt16BE(fingerprint[block], block * 2)
  return bytes
}

export function fingerprintIn(bytes: Buffer): Fingerprint {
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2), bytes.readUInt16BE(4), bytes.readUInt16BE(6)]
}

export function memberOf(fingerprint: Fingerprint, block: Block): Buffer {
  const bytes = bytesOf(fingerprint)
  return Buffer.concat([bytes.subarray(0, block * 2), bytes.subarray(block * 2 + 2)])
}

/** Those of the members of our bucket that are near. */
export function* nearIn(members: Buffer, ours: Fingerprint, block: Block): Generator<Fingerprint> {
  const [a, b, c] = BLOCKS.filter((other) => other !== block).map((other) => ours[other]) as [number, number, number]
  for (let from = 0; from + MEMBER_BYTES <= members.length; from += MEMBER_BYTES) {
    const upper = members.readUInt16BE(from)
    const middle = members.readUInt16BE(from + 2)
    const lower = members.readUInt16BE(from + 4)
    const bits = bitCount(((upper ^ a) << 16) | (middle ^ b)) + bitCount(lower ^ c)
    if (bits > MAX_DISTANCE_BITS) continue
    const near = [upper, middle, lower]
    near.splice(block, 0, ours[block])
    yield near as unknown as Fingerprint
  }
}
