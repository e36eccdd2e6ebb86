import { bytesOf, wordCount, wordEnd, wordStart } from './table'
import { takeRoom } from './room'

/**
 * Words by the order of their bytes. Eight of them are a number; by these all are sorted, by counting, one byte at a time from
 * the last to the first; then, by the next eight, those that are alike so far.
 */
const ENTRY: usize = 16
const DIGITS: usize = 256
/** Sorted by exchanging neighbours, which is the fastest for few. */
const FEW: u32 = 24

/** Entries, a number and the id of a word each, and as much room again. */
let entries: usize = 0
let spare: usize = 0
/** How often each byte stands in each of eight places. */
let histograms: usize = 0

export function sortWords(): void {
  const count = wordCount()
  entries = takeRoom(<usize>count * ENTRY)
  spare = takeRoom(<usize>count * ENTRY)
  histograms = takeRoom(8 * DIGITS * 4)
  for (let id: u32 = 0; id < count; id++) store<u32>(entries + <usize>id * ENTRY, id, 8)
  sortFrom(entries, count, 0)
}

@inline export function sortedWord(place: u32): u32 {
  return load<u32>(entries + <usize>place * ENTRY, 8)
}

/** What is kept with a word of this place in the order. */
@inline export function countAt(place: u32): u32 {
  return load<u32>(entries + <usize>place * ENTRY, 12)
}

@inline export function setCountAt(place: u32, count: u32): void {
  store<u32>(entries + <usize>place * ENTRY, count, 12)
}

/** No word has more than 255 bytes, so this goes no deeper than 32 times. */
function sortFrom(from: usize, count: u32, offset: u32): void {
  const end = from + <usize>count * ENTRY
  for (let at = from; at < end; at += ENTRY) store<u64>(at, keyOf(load<u32>(at, 8), offset))
  if (count <= FEW) sortFew(from, end)
  else sortMany(from, count)
  for (let first = from; first < end; ) {
    const key = load<u64>(first)
    let next = first + ENTRY
    while (next < end && load<u64>(next) == key) next += ENTRY
    if (next - first > ENTRY) sortFrom(first, <u32>((next - first) / ENTRY), offset + 8)
    first = next
  }
}

/** Eight bytes of a word, the first the highest; zeros behind its end, which no word has within. */
function keyOf(id: u32, offset: u32): u64 {
  const start = wordStart(id) + offset
  const end = wordEnd(id)
  if (start >= end) return 0
  const key = bswap<u64>(load<u64>(bytesOf() + start))
  const unused: u64 = end - start < 8 ? 64 - (end - start) * 8 : 0
  return (key >> unused) << unused
}

function sortFew(from: usize, end: usize): void {
  for (let i = from + ENTRY; i < end; i += ENTRY) {
    const entry = v128.load(i)
    const key = load<u64>(i)
    let at = i
    for (; at > from && load<u64>(at - ENTRY) > key; at -= ENTRY) v128.store(at, v128.load(at - ENTRY))
    v128.store(at, entry)
  }
}

function sortMany(from: usize, count: u32): void {
  memory.fill(histograms, 0, 8 * DIGITS * 4)
  const end = from + <usize>count * ENTRY
  for (let at = from; at < end; at += ENTRY) {
    let key = load<u64>(at)
    for (let digit: usize = 0; digit < 8; digit++) {
      const counter = histograms + (digit * DIGITS + <usize>(key & 0xff)) * 4
      store<u32>(counter, load<u32>(counter) + 1)
      key >>= 8
    }
  }
  let source = from
  let target = spare
  for (let digit: u32 = 0; digit < 8; digit++) {
    const counters = histograms + <usize>digit * DIGITS * 4
    const byte = <usize>((load<u64>(source) >> (digit * 8)) & 0xff)
    if (load<u32>(counters + byte * 4) == count) continue
    distribute(source, count, digit * 8, counters, target)
    const other = source
    source = target
    target = other
  }
  if (source != from) memory.copy(from, source, <usize>count * ENTRY)
}

/** Puts entries in order of one byte of their keys, and those with an equal one as they come. */
function distribute(source: usize, count: u32, shift: u64, counters: usize, target: usize): void {
  let next = target
  for (let byte: usize = 0; byte < DIGITS; byte++) {
    const having = load<u32>(counters + byte * 4)
    store<u32>(counters + byte * 4, <u32>next)
    next += <usize>having * ENTRY
  }
  const end = source + <usize>count * ENTRY
  for (let at = source; at < end; at += ENTRY) {
    const counter = counters + <usize>((load<u64>(at) >> shift) & 0xff) * 4
    const to = load<u32>(counter)
    v128.store(to, v128.load(at))
    store<u32>(counter, to + <u32>ENTRY)
  }
}
