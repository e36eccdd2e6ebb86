import { BYTES_AT, CELLS, COUNT, ENDS_AT } from './layout'
import { movedTo, takeRoom } from './room'
import { maxProbes, maxWords } from './tables'

/**
 * The twin of `word-table.ts`. A slot: the word itself if it has up to eight bytes, which no zero is among, else a hash of
 * it; its length; its number. Where a word is looked for first are the upper bits of this times a factor made by chance: by
 * that no two words are likelier to crowd together than any others, whoever has chosen them.
 */
const SLOT: usize = 16
const KEPT_SLOTS: u32 = 1 << 18
const KEPT_BYTES: u32 = 1 << 20
const KEPT_ENDS: u32 = 1 << 17

let count: u32 = 0
let factor: u64 = 1
let slots: usize = 0
let slotCount: u32 = 1 << 15
let slotShift: u64 = 0
/** All words, one after another, and where each of them ends. */
let bytes: usize = 0
let bytesUsed: u32 = 0
let bytesRoom: u32 = 1 << 17
let ends: usize = 0
let endsRoom: u32 = 1 << 13

/** After all room was given back. As much is taken again as was of use, but for what unusual pages needed. */
export function clearTable(seed: u32): void {
  count = bytesUsed = 0
  factor = mixed(<u64>seed + 1) | 1
  takeSlots(min(slotCount, KEPT_SLOTS))
  bytesRoom = min(bytesRoom, KEPT_BYTES)
  endsRoom = min(endsRoom, KEPT_ENDS)
  bytes = takeRoom(bytesRoom)
  ends = takeRoom(endsRoom * 4)
  tell()
}

/** All 64 bits depend on those of the seed. */
function mixed(seed: u64): u64 {
  let mixed = seed * 0x9e3779b97f4a7c15
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb
  return mixed ^ (mixed >> 31)
}

function tell(): void {
  store<u32>(CELLS + COUNT * 4, count)
  store<u32>(CELLS + BYTES_AT * 4, bytes)
  store<u32>(CELLS + ENDS_AT * 4, ends)
}

function takeSlots(number: u32): void {
  slotCount = number
  slotShift = 64 - ctz(<u64>number)
  slots = takeRoom(<usize>number * SLOT)
  memory.fill(slots, 0, <usize>number * SLOT)
}

/** Of 1 to `maxWordBytes` bytes, behind which eight can be read; added if it is new. 0: it is left out. */
export function numberOf(word: usize, length: u32): u32 {
  const key = length <= 8 ? load<u64>(word) << (64 - length * 8) : hashOf(word, length)
  const end = slots + <usize>slotCount * SLOT
  let slot = slotOf(key)
  for (let probes = 0; probes < maxProbes; probes++) {
    const number = load<u32>(slot, 12)
    if (number == 0) return addWord(word, length, slot, key)
    if (load<u64>(slot) == key && load<u32>(slot, 8) == length && (length <= 8 || isEqual(number, word, length)))
      return number
    slot += SLOT
    if (slot == end) slot = slots
  }
  return 0
}

@inline function slotOf(key: u64): usize {
  return slots + <usize>((key * factor) >> slotShift) * SLOT
}

/** Of more than eight bytes. */
@inline function hashOf(word: usize, length: u32): u64 {
  const last = word + length - 8
  let hash = load<u64>(last) + factor
  for (let at = word; at < last; at += 8) {
    hash = (hash ^ load<u64>(at)) * factor
    hash ^= hash >> 32
  }
  return hash
}

@inline export function wordCount(): u32 {
  return count
}

@inline export function bytesOf(): usize {
  return bytes
}

@inline export function wordStart(id: u32): u32 {
  return id == 0 ? 0 : load<u32>(ends + (id - 1) * 4)
}

@inline export function wordEnd(id: u32): u32 {
  return load<u32>(ends + id * 4)
}

@inline function isEqual(number: u32, word: usize, length: u32): bool {
  const own = bytes + wordStart(number - 1)
  const last = length - 8
  for (let at: u32 = 0; at < last; at += 8) if (load<u64>(own + at) != load<u64>(word + at)) return false
  return load<u64>(own + last) == load<u64>(word + last)
}

function addWord(word: usize, length: u32, slot: usize, key: u64): u32 {
  if (count >= <u32>maxWords) return 0
  if (bytesUsed + length > bytesRoom) bytes = movedTo(bytes, bytesUsed, (bytesRoom *= 2))
  memory.copy(bytes + bytesUsed, word, length)
  bytesUsed += length
  if (count == endsRoom) ends = movedTo(ends, count * 4, (endsRoom *= 2) * 4)
  store<u32>(ends + count * 4, bytesUsed)
  fill(slot, key, length, ++count)
  if (count * 2 > slotCount) spread()
  tell()
  return count
}

@inline function fill(slot: usize, key: u64, length: u32, number: u32): void {
  store<u64>(slot, key)
  store<u32>(slot, length, 8)
  store<u32>(slot, number, 12)
}

/** Twice the slots. */
function spread(): void {
  const old = slots
  const oldEnd = old + <usize>slotCount * SLOT
  takeSlots(slotCount * 2)
  const end = slots + <usize>slotCount * SLOT
  for (let from = old; from < oldEnd; from += SLOT) {
    const number = load<u32>(from, 12)
    if (number == 0) continue
    const key = load<u64>(from)
    let slot = slotOf(key)
    while (load<u32>(slot, 12) != 0) if ((slot += SLOT) == end) slot = slots
    fill(slot, key, load<u32>(from, 8), number)
  }
}
