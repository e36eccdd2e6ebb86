import { ATTRIBUTE_NAMES, ATTRIBUTE_SLOTS, TAG_NAMES, TAG_SLOTS } from './layout'

/** The twin of `NameTable` in `names.ts`, over the tables that it made. */
export function tagNamed(start: usize, end: usize, hash: i32): i32 {
  return lookup(TAG_SLOTS, TAG_NAMES, start, end, hash)
}

export function attributeNamed(start: usize, end: usize, hash: i32): i32 {
  return lookup(ATTRIBUTE_SLOTS, ATTRIBUTE_NAMES, start, end, hash)
}

@inline export function nextHash(hash: i32, byte: u32): i32 {
  return hash * 31 + byte
}

@inline function lookup(slots: usize, names: usize, start: usize, end: usize, hash: i32): i32 {
  let slot = hash & 1023
  let id = <i32>load<u8>(slots + slot)
  // Most names are not known and fall into free slots.
  if (id == 0 || end - start > 16) return 0
  const name = lowerCaseName(start, end)
  do {
    if (i8x16.all_true(i8x16.eq(name, v128.load(names + id * 16)))) return id
    slot = (slot + 1) & 1023
    id = <i32>load<u8>(slots + slot)
  } while (id != 0)
  return 0
}

/** At most 16 bytes, filled up with zeros. */
@inline function lowerCaseName(start: usize, end: usize): v128 {
  const bytes = v128.load(start)
  const upper = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x41)), i8x16.splat(26))
  const lower = v128.or(bytes, v128.and(upper, i8x16.splat(0x20)))
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  return v128.and(lower, i8x16.lt_u(places, i8x16.splat(<i8>(end - start))))
}
