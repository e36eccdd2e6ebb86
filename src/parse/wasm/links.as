import { allOf, AMPERSAND, firstBits, sameBytes, SPACE } from './bytes'
import { hashOf } from './link-hash'
import {
  CELLS, HREF_END, HREF_START, INPUT, KEY_LOW, KIND, LABEL_END, LABEL_IN_DOCUMENT, LABEL_START, LINK_NUMBERS, RAW_END, RAW_START, REL, RELS,
  SEED_LOW, SHAPE, UNIT_END, UNIT_START,
} from './layout'
import { first, readReference, second, writeUtf8 } from './references'
import { shapeOf } from './reference-shape'
import { ABSOLUTE, FROM_ORIGIN, FROM_SCHEME } from './tables'
import { labelEnd, labelStart, textEnd, unitsBetween } from './text'

/** The twin of `LinkCollector` in `links.ts`: a table of links, with their references joined behind each other. */

/** Number of a value of `rel` among those that the host keeps, times 2, plus 1 if it asks not to follow the link. */
@external('host', 'rel')
declare function keepRel(start: i32, end: i32): i32

const RECORD: usize = LINK_NUMBERS * 4
const REL_SLOTS: u32 = 64

let table: usize = 0
let tableEnd: usize = 0
let maxEnd: usize = 0
let hrefsAt: usize = 0
let hrefsEnd: usize = 0
/** Pairs of a hash and the record found last under it; 0: free. A power of two, never more than half full. */
let known: usize = 0
let knownSlots: u32 = 0
let knownCount: u32 = 0
let takesAll: bool = false

/** The link whose text is being read, or 0. */
let open: usize = 0
let openedAt: usize = 0
let textAt: usize = 0
let maxLabelBytes: usize = 0
/** How far units of the text were counted, and how many they are. */
let countedTo: usize = 0
let units: i32 = 0

export function resetLinks(records: usize, maxRecords: u32, hrefs: usize, hashes: usize, all: bool): void {
  table = tableEnd = records
  maxEnd = records + <usize>maxRecords * RECORD
  hrefsAt = hrefsEnd = hrefs
  known = hashes
  knownSlots = FIRST_SLOTS
  knownCount = 0
  takesAll = all
  memory.fill(known, 0, knownSlots * 8)
  memory.fill(RELS, 0, REL_SLOTS * 16)
}

const FIRST_SLOTS: u32 = 512

/** Bytes that the hashes of so many records may need. */
export function hashBytes(maxRecords: u32): usize {
  let slots = FIRST_SLOTS
  while (slots < maxRecords * 2 + 2) slots *= 2
  return slots * 8
}

export function resetLabels(text: usize, maxBytes: u32): void {
  open = 0
  textAt = countedTo = text
  maxLabelBytes = maxBytes
  units = 0
}

@inline export function linkCount(): i32 {
  return <i32>((tableEnd - table) / RECORD)
}

@inline export function hrefsBytes(): i32 {
  return <i32>(hrefsEnd - hrefsAt)
}

@inline function get(record: usize, number: usize): i32 {
  return load<i32>(record + number * 4)
}

@inline function set(record: usize, number: usize, value: i32): void {
  store<i32>(record + number * 4, value)
}

/** A reference of `a`, `area`, `iframe` or `frame`: the record if it was taken, or 0. `relEnd` 0: it has no `rel`. */
export function addReference(kind: i32, from: usize, to: usize, relStart: usize, relEnd: usize): usize {
  const rel = relEnd == 0 ? 0 : relOf(relStart, relEnd)
  if ((rel & 1) != 0 && !takesAll) return 0
  return addLink(kind, from, to, rel >> 1)
}

/** A reference that was taken before is not taken again; its record is answered if it still lacks a text. */
export function addLink(kind: i32, from: usize, to: usize, rel: i32): usize {
  const hash = hashOf(from, to)
  const slot = slotOf(hash)
  const found = <usize>load<u32>(slot, 4)
  if (found != 0 && !takesAll && isSame(found, from, to))
    return get(found, LABEL_START) == get(found, LABEL_END) ? found : 0
  if (tableEnd == maxEnd) return 0
  const record = newRecord(kind, rel)
  set(record, RAW_START, <i32>(from - INPUT))
  set(record, RAW_END, <i32>(to - INPUT))
  addHref(record, from, to)
  if (!takesAll) remember(slot, hash, record)
  return record
}

/** A link whose reference the host keeps. */
export function addForeignLink(kind: i32): void {
  if (tableEnd < maxEnd) newRecord(kind, 0)
}

function newRecord(kind: i32, rel: i32): usize {
  const record = tableEnd
  tableEnd += RECORD
  // By hand, because filling is a call out of the engine's code. The room behind the last record takes what is too much.
  for (let at = record; at < tableEnd; at += 16) v128.store(at, i64x2.splat(0))
  set(record, KIND, kind)
  set(record, REL, rel)
  return record
}

@inline function isSame(record: usize, from: usize, to: usize): bool {
  const start = <usize>(INPUT + get(record, RAW_START))
  return <usize>(INPUT + get(record, RAW_END)) - start == to - from && sameBytes(start, from, to - from)
}

/** Notes the reference as the URL parser would see it: references resolved, no white space around. */
function addHref(record: usize, from: usize, to: usize): void {
  const at = hrefsEnd
  const end = copyHref(at, from, to) ? at + (to - from) : decodeHref(at, from, to)
  let start = at
  let stop = end
  while (start < stop && <u32>load<u8>(start) <= SPACE) start++
  while (stop > start && <u32>load<u8>(stop - 1) <= SPACE) stop--
  hrefsEnd = stop
  set(record, HREF_START, <i32>(start - hrefsAt))
  set(record, HREF_END, <i32>(stop - hrefsAt))
  const shape = shapeOf(start, stop)
  set(record, SHAPE, shape)
  if (shape == ABSOLUTE || shape == FROM_SCHEME || shape == FROM_ORIGIN)
    store<u64>(record + KEY_LOW * 4, keyOf(start, stop))
}

/** Never 0 in its low half. */
function keyOf(start: usize, stop: usize): u64 {
  let key = load<u64>(CELLS + SEED_LOW * 4) ^ <u64>(stop - start)
  let at = start
  for (; at + 8 <= stop; at += 8) key = mixed(key ^ load<u64>(at))
  const rest = load<u64>(at) & ((<u64>1 << (<u64>(stop - at) * 8)) - 1)
  return mixed(mixed(key ^ rest)) | 1
}

@inline function mixed(bits: u64): u64 {
  const product = bits * 0x9e3779b97f4a7c15
  return product ^ (product >> 29)
}

/** False: it must be decoded. */
function copyHref(out: usize, from: usize, to: usize): bool {
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at)
    const signs = v128.or(i8x16.eq(bytes, allOf(0x26)), i8x16.eq(bytes, allOf(0)))
    if ((i8x16.bitmask(signs) & firstBits(to - at)) != 0) return false
    v128.store(out + (at - from), bytes)
  }
  return true
}

function decodeHref(start: usize, from: usize, to: usize): usize {
  let out = start
  for (let at = from; at < to; ) {
    const byte = <u32>load<u8>(at)
    const after = byte == AMPERSAND ? readReference(at, to, true) : 0
    if (after == 0) {
      if (byte == 0) out = writeUtf8(out, 0xfffd)
      else store<u8>(out++, byte)
      at++
    } else {
      out = writeUtf8(out, first)
      if (second != 0) out = writeUtf8(out, second)
      at = after
    }
  }
  return out
}

/** The text from here to the end of the `a` is the link's. */
export function startLabel(record: usize): void {
  endLabel()
  open = record
  openedAt = textEnd()
}

export function endLabel(): void {
  if (open == 0) return
  const record = open
  open = 0
  const start = labelStart(openedAt)
  const end = labelEnd(start, maxLabelBytes)
  set(record, KIND, get(record, KIND) & ~LABEL_IN_DOCUMENT)
  set(record, LABEL_START, <i32>(start - textAt))
  set(record, LABEL_END, <i32>(end - textAt))
  units += unitsBetween(countedTo, start)
  set(record, UNIT_START, units)
  units += unitsBetween(start, end)
  set(record, UNIT_END, units)
  countedTo = end
}

/** The text of the link is a value in the document. */
export function labelFromDocument(record: usize, start: usize, end: usize): void {
  set(record, KIND, get(record, KIND) | LABEL_IN_DOCUMENT)
  set(record, LABEL_START, <i32>(start - INPUT))
  set(record, LABEL_END, <i32>(end - INPUT))
}

/** The slot with this hash, or the free one where it would stand. */
function slotOf(hash: i32): usize {
  let slot = <u32>hash * 0x9e3779b1
  slot = (slot ^ (slot >> 15)) & (knownSlots - 1)
  let at = known + slot * 8
  while (load<u32>(at, 4) != 0 && load<i32>(at) != hash) {
    slot = (slot + 1) & (knownSlots - 1)
    at = known + slot * 8
  }
  return at
}

function remember(slot: usize, hash: i32, record: usize): void {
  const isNew = load<u32>(slot, 4) == 0
  store<i32>(slot, hash)
  store<u32>(slot, <u32>record, 4)
  if (isNew && ++knownCount * 2 > knownSlots) growKnown()
}

/** Fills a table of twice the size from the records: later ones win, as they did before. */
function growKnown(): void {
  knownSlots *= 2
  memory.fill(known, 0, knownSlots * 8)
  for (let record = table; record < tableEnd; record += RECORD) {
    if (get(record, RAW_END) == 0) continue
    const hash = hashOf(INPUT + get(record, RAW_START), INPUT + get(record, RAW_END))
    const slot = slotOf(hash)
    store<i32>(slot, hash)
    store<u32>(slot, <u32>record, 4)
  }
}

/** Few values of `rel` are repeated on each page: the host is asked once for each, as long as they fit. */
function relOf(start: usize, end: usize): i32 {
  const length = end - start
  const hash = hashOf(start, end)
  const slot = RELS + (<u32>hash & (REL_SLOTS - 1)) * 16
  const at = <usize>load<u32>(slot, 4)
  if (at != 0 && load<i32>(slot) == hash && <usize>load<u32>(slot, 8) == length && sameBytes(at, start, length))
    return load<i32>(slot, 12)
  const kept = keepRel(<i32>(start - INPUT), <i32>(end - INPUT))
  store<i32>(slot, hash)
  store<u32>(slot, <u32>start, 4)
  store<u32>(slot, <u32>length, 8)
  store<i32>(slot, kept, 12)
  return kept
}
