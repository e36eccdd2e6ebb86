import { ATTRIBUTE_NAMES, ATTRIBUTE_SLOTS, SHORT_ATTRIBUTES, SHORT_TAGS, TAG_NAMES, TAG_SLOTS } from './layout'

/**
 * The twin of `names.ts`, over the same names. Nearly all have up to seven letters, which make one number with that of the
 * name on top; of longer ones all sixteen bytes that they can have are compared at once.
 */
const SLOTS: u32 = 1024
const SHORT: usize = 7

@inline export function tagNamed(start: usize, end: usize): i32 {
  return end - start <= SHORT ? short(SHORT_TAGS, start, end) : long(TAG_SLOTS, TAG_NAMES, start, end)
}

@inline export function attributeNamed(start: usize, end: usize): i32 {
  return end - start <= SHORT ? short(SHORT_ATTRIBUTES, start, end) : long(ATTRIBUTE_SLOTS, ATTRIBUTE_NAMES, start, end)
}

/** Once, when the host has written the names. */
export function indexNames(tags: i32, attributes: i32): void {
  for (let id = 1; id < tags; id++) index(SHORT_TAGS, TAG_SLOTS, TAG_NAMES, id)
  for (let id = 1; id < attributes; id++) index(SHORT_ATTRIBUTES, ATTRIBUTE_SLOTS, ATTRIBUTE_NAMES, id)
}

function index(shortSlots: usize, longSlots: usize, names: usize, id: i32): void {
  const name = names + id * 16
  let length: usize = 0
  while (length < 16 && load<u8>(name + length) != 0) length++
  if (length <= SHORT) {
    const key = keyOf(name, name + length)
    let slot = shortSlotOf(key)
    while (load<u64>(shortSlots + slot * 8) != 0) slot = (slot + 1) & (SLOTS - 1)
    store<u64>(shortSlots + slot * 8, key | (<u64>id << 56))
  } else {
    let slot = slotOf(v128.load(name))
    while (load<u8>(longSlots + slot) != 0) slot = (slot + 1) & (SLOTS - 1)
    store<u8>(longSlots + slot, id)
  }
}

@inline function short(slots: usize, start: usize, end: usize): i32 {
  const key = keyOf(start, end)
  let slot = shortSlotOf(key)
  let known = load<u64>(slots + slot * 8)
  while (i32(known != 0) & i32(known << 8 != key << 8)) {
    slot = (slot + 1) & (SLOTS - 1)
    known = load<u64>(slots + slot * 8)
  }
  return <i32>(known >> 56)
}

/** In lower case; other bytes that change with it are in no name. White space, which ends names, is what fills it up. */
@inline function keyOf(start: usize, end: usize): u64 {
  const bytes = load<u64>(start)
  const lower = bytes | ((bytes & 0x4040404040404040) >> 1)
  return (lower ^ 0x2020202020202020) & ((<u64>1 << (<u64>(end - start) * 8)) - 1)
}

@inline function shortSlotOf(key: u64): u32 {
  return <u32>((key * 0x9e3779b97f4a7c15) >> 54)
}

function long(slots: usize, names: usize, start: usize, end: usize): i32 {
  // A NUL at the end would look like what names are filled up with.
  if (end - start > 16 || load<u8>(end - 1) == 0) return 0
  const name = lowerCaseName(start, end)
  let slot = slotOf(name)
  let id = <i32>load<u8>(slots + slot)
  while (id != 0 && !i8x16.all_true(i8x16.eq(name, v128.load(names + id * 16)))) {
    slot = (slot + 1) & (SLOTS - 1)
    id = <i32>load<u8>(slots + slot)
  }
  return id
}

@inline function slotOf(name: v128): u32 {
  return <u32>((<u64>i64x2.extract_lane(name, 0) * 0x9e3779b97f4a7c15) >> 54)
}

/** At most 16 bytes, filled up with zeros. */
@inline function lowerCaseName(start: usize, end: usize): v128 {
  const bytes = v128.load(start)
  const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26))
  const lower = v128.or(bytes, v128.and(upper, i8x16.splat(0x20)))
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  return v128.and(lower, i8x16.lt_u(places, i8x16.splat(<i8>(end - start))))
}
