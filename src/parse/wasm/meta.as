import { INPUT, META_SLOTS } from './layout'
import { Attribute } from './tables'
import { has, valueEnd, valueStart } from './tokenizer'

/** Most `meta` bear names of which nothing is kept: whatever may be another, the host looks at. */

/** Longest name, as the host writes them. */
const NAME_BYTES: usize = 32

/** Once: names that the host has written where documents lie, filled up with zeros. */
export function indexMetaNames(count: i32): void {
  for (let i = 0; i < count; i++) {
    const name: usize = <usize>INPUT + i * NAME_BYTES
    let end = name
    while (end < name + NAME_BYTES && load<u8>(end) != 0) end++
    store<u8>(slotOf(name, end), 1)
  }
}

export function mayBeKept(): bool {
  if (has(Attribute.httpEquiv)) return true
  return isKnown(Attribute.property) || isKnown(Attribute.name) || isKnown(Attribute.itemprop)
}

function isKnown(attribute: i32): bool {
  if (!has(attribute)) return false
  const start = valueStart(attribute)
  const end = valueEnd(attribute)
  return load<u8>(slotOf(start, end)) != 0 || !isPlain(start, end)
}

/** Of its first eight bytes, in lower case, and its length. */
@inline function slotOf(start: usize, end: usize): usize {
  const length = <u64>(end - start)
  const bytes = load<u64>(start)
  const lower = bytes | ((bytes & 0x4040404040404040) >> 1)
  const key = length < 8 ? lower & ((<u64>1 << (length * 8)) - 1) : lower
  return <usize>META_SLOTS + <usize>(((key ^ length) * 0x9e3779b97f4a7c15) >> 54)
}

/** As `metaNameBetween` has it: else it must be decoded first. */
function isPlain(start: usize, end: usize): bool {
  for (let at = start; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte <= 0x20 || byte >= 0x80 || byte == 0x26) return false
  }
  return true
}
