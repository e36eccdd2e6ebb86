import { copy, copySlack } from './copy'
import { BYTES_AT, CELLS, COUNT, ENDS_AT } from './layout'
import { movedTo, takeRoom } from './room'
import { maxProbes, maxWords } from './tables'

/**
 * The twin of `word-table.ts`. A slot: the word itself if it has up to eight bytes, which no zero is among, else a hash of
 * it; its number and its length; where its bytes begin. Where a word is looked for first are the upper bits of this times a factor made by chance: by
 * that no two words are likelier to crowd together than any others, whoever has chosen them.
 */
const SLOT: usize = 16
const TAG: usize = 8
const START: usize = 12
const LENGTH_SHIFT: u32 = 24
const NUMBER_MASK: u32 = 0xffffff
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

/** Where a word is looked for first. */
@inline export function homeOf(key: u64): usize {
  return slots + <usize>((key * factor) >> slotShift) * SLOT
}

/** For words with keys, each from `words` on, the number of the one with its key that stands where it is looked for first, or 0. */
@inline export function numbersAtHome(words: usize, end: usize, each: usize, number: usize): void {
  const first = slots
  const by = factor
  const shift = slotShift
  for (let word = words; word < end; word += each) {
    const key = load<u64>(word)
    const slot = first + <usize>((key * by) >> shift) * SLOT
    store<u32>(word + number, load<u64>(slot) == key ? load<u32>(slot, TAG) & NUMBER_MASK : 0)
  }
}

/** Of 1 to `maxWordBytes` bytes; added if it is new. 0: it is left out. */
export function numberOf(word: usize, length: u32, key: u64): u32 {
  const end = slots + <usize>slotCount * SLOT
  let slot = homeOf(key)
  for (let probes = 0; probes < maxProbes; probes++) {
    const tag = load<u32>(slot, TAG)
    if (tag == 0) return addWord(word, length, slot, key)
    if (load<u64>(slot) == key && (length <= 8 || isWord(slot, word, length))) return tag & NUMBER_MASK
    slot += SLOT
    if (slot == end) slot = slots
  }
  return 0
}

/** The key of a word of more than eight bytes: that of no shorter one, which has no zero before its last bytes. */
@inline export function longKey(word: usize, length: u32): u64 {
  const last = word + length - 8
  let hash = load<u64>(last) + factor
  for (let at = word; at < last; at += 8) {
    hash = (hash ^ load<u64>(at)) * factor
    hash ^= hash >> 32
  }
  return (hash & ~0xffff) | 1
}

/** Whether a word of more than eight bytes is the one there. */
@inline export function isWord(slot: usize, word: usize, length: u32): bool {
  if (load<u32>(slot, TAG) >> LENGTH_SHIFT != length) return false
  const own = bytes + load<u32>(slot, START)
  const last = length - 8
  for (let at: u32 = 0; at < last; at += 8) if (load<u64>(own + at) != load<u64>(word + at)) return false
  return load<u64>(own + last) == load<u64>(word + last)
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

function addWord(word: usize, length: u32, slot: usize, key: u64): u32 {
  if (count >= <u32>maxWords) return 0
  if (bytesUsed + length + copySlack > bytesRoom) bytes = movedTo(bytes, bytesUsed, (bytesRoom *= 2))
  copy(bytes + bytesUsed, word, length)
  const start = bytesUsed
  bytesUsed += length
  if (count == endsRoom) ends = movedTo(ends, count * 4, (endsRoom *= 2) * 4)
  store<u32>(ends + count * 4, bytesUsed)
  fill(slot, key, (length << LENGTH_SHIFT) | ++count, start)
  if (count * 2 > slotCount) spread()
  tell()
  return count
}

@inline function fill(slot: usize, key: u64, tag: u32, start: u32): void {
  store<u64>(slot, key)
  store<u32>(slot, tag, TAG)
  store<u32>(slot, start, START)
}

/** Twice the slots. */
function spread(): void {
  const old = slots
  const oldEnd = old + <usize>slotCount * SLOT
  takeSlots(slotCount * 2)
  const end = slots + <usize>slotCount * SLOT
  for (let from = old; from < oldEnd; from += SLOT) {
    const tag = load<u32>(from, TAG)
    if (tag == 0) continue
    const key = load<u64>(from)
    let slot = homeOf(key)
    while (load<u32>(slot, TAG) != 0) if ((slot += SLOT) == end) slot = slots
    fill(slot, key, tag, load<u32>(from, START))
  }
}
