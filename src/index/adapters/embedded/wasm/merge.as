import { copy, copySlack } from './copy'
import { ALL_IS_MERGED, CELLS, INPUTS, PART_AT, PART_BYTES, PART_IS_FULL, WORD } from './layout'
import { giveBackRoom, movedTo, takeRoom } from './room'
import { documentItem, partBytes } from './tables'
import { longestHead, readVarint, varintEnd, writeVarint } from './varint'

/**
 * The twin of `merged-parts.ts`, for segments none of whose documents are gone. Parts of inputs are brought when they are
 * asked for.
 */

/** An input. The entry that it stands at: its word, of which the first eight bytes are a number, and what it says. */
@unmanaged class Input {
  key: u64
  word: usize
  wordBytes: u32
  lastOrdinal: u32
  postings: usize
  postingsEnd: usize
  partEnd: usize
  state: u32
  /** Ordinals of its documents become higher by this. */
  shift: u32
  room: usize
  roomBytes: usize
}

const INPUT_BYTES: usize = 64
/** States: the next part is wanted; there is an entry; there are no more. */
const WANTS: u32 = 0
const HAS: u32 = 1
const IS_OVER: u32 = 2

const NOTHING: u32 = 0xffff

let inputCount: u32 = 0
/** The word that is merged, and the first input that may have more of it. */
let key: u64 = 0
let wordBytes: u32 = 0
let current: u32 = 0
let inWord = false
/** Its postings, and the last document in them. */
let joined: usize = 0
let joinedUsed: usize = 0
let joinedRoom: usize = 0
let last: u32 = 0
let part: usize = 0
let partUsed: usize = 0
let partRoom: usize = 0

@inline function inputAt(i: u32): Input {
  return changetype<Input>(<usize>INPUTS + <usize>i * INPUT_BYTES)
}

export function beginMerge(inputs: u32): void {
  giveBackRoom()
  inputCount = inputs
  inWord = false
  joinedUsed = partUsed = 0
  joined = takeRoom((joinedRoom = <usize>partBytes * 2))
  part = takeRoom((partRoom = <usize>partBytes * 2))
  memory.fill(INPUTS, 0, <usize>inputs * INPUT_BYTES)
}

export function setShift(i: u32, shift: u32): void {
  inputAt(i).shift = shift
}

/** Where to put the next part of an input. */
export function roomForPart(i: u32, bytes: u32): usize {
  const input = inputAt(i)
  const needed = <usize>bytes + copySlack
  if (needed > input.roomBytes) input.room = takeRoom((input.roomBytes = needed))
  return input.room
}

/** The next part is there; of no bytes: there was none. */
export function partCame(i: u32, bytes: u32): void {
  const input = inputAt(i)
  input.partEnd = input.room + bytes
  if (bytes == 0) input.state = IS_OVER
  else readEntry(input, input.room)
}

/** The part that was full was taken. */
export function emptyPart(): void {
  partUsed = 0
}

/** Goes on until something is wanted: the next part of an input, by its number, or that a part is taken. */
export function merge(): u32 {
  let wanted = NOTHING
  while (wanted == NOTHING) wanted = mergeWord()
  return wanted
}

/** One word, or the rest of one that had to wait for something. */
function mergeWord(): u32 {
  if (!inWord) {
    for (let i: u32 = 0; i < inputCount; i++) if (inputAt(i).state == WANTS) return i
    if (partUsed >= <usize>partBytes) return full(PART_IS_FULL)
    if (!beginWord()) return full(ALL_IS_MERGED)
  }
  for (; current < inputCount; current++) {
    const input = inputAt(current)
    while (input.state == HAS && isWord(input)) {
      append(input)
      if (input.postingsEnd < input.partEnd) readEntry(input, input.postingsEnd)
      else input.state = WANTS
      if (joinedUsed >= <usize>partBytes) endEntry()
      if (partUsed >= <usize>partBytes) return full(PART_IS_FULL)
    }
    if (input.state == WANTS) return current
  }
  endEntry()
  inWord = false
  return NOTHING
}

function full(answer: u32): u32 {
  store<u32>(CELLS + PART_AT * 4, part)
  store<u32>(CELLS + PART_BYTES * 4, partUsed)
  return answer
}

function readEntry(input: Input, at: usize): void {
  const length = <u32>load<u8>(at)
  const eight = bswap<u64>(load<u64>(at, 1))
  const unused: u64 = length < 8 ? 64 - length * 8 : 0
  input.key = (eight >> unused) << unused
  input.word = at + 1
  input.wordBytes = length
  input.lastOrdinal = readVarint(at + 1 + length)
  const size = readVarint(varintEnd)
  input.postings = varintEnd
  input.postingsEnd = varintEnd + size
  input.state = HAS
}

/** The least of all words. False: there are no more. */
function beginWord(): bool {
  let least: Input | null = null
  for (let i: u32 = 0; i < inputCount; i++) {
    const input = inputAt(i)
    if (input.state == HAS && (least === null || isLess(input, least))) least = input
  }
  if (least === null) return false
  key = least.key
  wordBytes = least.wordBytes
  copy(WORD, least.word, least.wordBytes)
  current = 0
  inWord = true
  return true
}

/** No word has a zero, so that the shorter of two that are alike so far has the lower key, if one has less than eight bytes. */
@inline function isLess(a: Input, b: Input): bool {
  if (a.key != b.key) return a.key < b.key
  const common = min(a.wordBytes, b.wordBytes)
  for (let i: u32 = 8; i < common; i++) {
    const difference = <i32>load<u8>(a.word + i) - <i32>load<u8>(b.word + i)
    if (difference != 0) return difference < 0
  }
  return a.wordBytes < b.wordBytes
}

@inline function isWord(input: Input): bool {
  if (input.key != key || input.wordBytes != wordBytes) return false
  for (let i: u32 = 8; i < wordBytes; i++) if (load<u8>(input.word + i) != load<u8>(WORD + i)) return false
  return true
}

/** The twin of `PostingsJoin.append`. */
function append(input: Input): void {
  const ordinal = (readVarint(input.postings) >> 2) + input.shift
  const rest = input.postingsEnd - varintEnd
  const needed = joinedUsed + 5 + rest + copySlack
  if (needed > joinedRoom) {
    joinedRoom = needed * 2
    joined = movedTo(joined, joinedUsed, joinedRoom)
  }
  const from = varintEnd
  const at = writeVarint(joined + joinedUsed, ((ordinal - last) << 2) | documentItem)
  copy(at, from, rest)
  joinedUsed = at + rest - joined
  last = input.lastOrdinal + input.shift
}

function endEntry(): void {
  if (joinedUsed == 0) return
  const needed = partUsed + longestHead + joinedUsed + copySlack
  if (needed > partRoom) {
    partRoom = needed * 2
    part = movedTo(part, partUsed, partRoom)
  }
  let at = part + partUsed
  store<u8>(at, wordBytes)
  copy(at + 1, WORD, wordBytes)
  at = writeVarint(at + 1 + wordBytes, last)
  at = writeVarint(at, <u32>joinedUsed)
  copy(at, joined, joinedUsed)
  partUsed = at + joinedUsed - part
  joinedUsed = 0
  last = 0
}
