/** Whole numbers up to 2^32 − 1 in as few bytes as they need, seven bits in each, the lowest first. */
export function varintBytes(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x200000) return 3
  return value < 0x10000000 ? 4 : 5
}

/** Answers where the next one goes. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  let next = at
  while (rest > 0x7f) {
    bytes[next++] = rest | 0x80
    rest >>>= 7
  }
  bytes[next++] = rest
  return next
}

/** Reads one after another. */
export class VarintReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  next(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 0x7f) << shift
      // Behind the end there is no byte, which is not over 0x7f either.
      if (!(byte > 0x7f)) return value >>> 0
    }
  }
}

/** The same array, or a larger one that holds what it held. */
export function withRoom(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
  larger.set(bytes)
  return larger
}
