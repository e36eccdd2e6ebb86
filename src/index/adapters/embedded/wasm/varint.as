/** Of an entry before its postings: a word with its length, two numbers. */
export const longestHead: usize = 1 + 255 + 5 + 5

/** Those of one or two bytes, which are nearly all, without a jump: no processor could foretell it. */
@inline export function writeVarint(at: usize, value: u32): usize {
  if (value >= 0x4000) return writeLongVarint(at, value)
  const isLong = u32(value > 0x7f)
  store<u8>(at, value | (isLong << 7))
  store<u8>(at, value >> 7, 1)
  return at + 1 + isLong
}

function writeLongVarint(at: usize, value: u32): usize {
  let rest = value
  let next = at
  for (; rest > 0x7f; rest >>= 7) store<u8>(next++, rest | 0x80)
  store<u8>(next, rest)
  return next + 1
}

/** Where the last number that was read ends. */
export let varintEnd: usize = 0

@inline export function readVarint(at: usize): u32 {
  const byte = <u32>load<u8>(at)
  varintEnd = at + 1
  return byte < 0x80 ? byte : readLongVarint(at)
}

function readLongVarint(at: usize): u32 {
  let value: u32 = 0
  let shift: u32 = 0
  let next = at
  for (;;) {
    const byte = <u32>load<u8>(next++)
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) break
    shift += 7
  }
  varintEnd = next
  return value
}
