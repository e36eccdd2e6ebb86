import { ATTRIBUTE_NAMES, ATTRIBUTE_SLOTS, TAG_NAMES, TAG_SLOTS } from './layout'

/**
 * The twin of `names.ts`, over the same names: all sixteen bytes that a name can have are compared at once, so finding one
 * takes no loop over its letters.
 */
const SLOTS: u32 = 1024

export function tagNamed(start: usize, end: usize): i32 {
  return lookup(TAG_SLOTS, TAG_NAMES, start, end)
}

export function attributeNamed(start: usize, end: usize): i32 {
  return lookup(ATTRIBUTE_SLOTS, ATTRIBUTE_NAMES, start, end)
}

/** Once, when the host has written the names. */
export function indexNames(tags: i32, attributes: i32): void {
  for (let id = 1; id < tags; id++) index(TAG_SLOTS, TAG_NAMES, id)
  for (let id = 1; id < attributes; id++) index(ATTRIBUTE_SLOTS, ATTRIBUTE_NAMES, id)
}

function index(slots: usize, names: usize, id: i32): void {
  let slot = slotOf(v128.load(names + id * 16))
  while (load<u8>(slots + slot) != 0) slot = (slot + 1) & (SLOTS - 1)
  store<u8>(slots + slot, id)
}

@inline function lookup(slots: usize, names: usize, start: usize, end: usize): i32 {
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
