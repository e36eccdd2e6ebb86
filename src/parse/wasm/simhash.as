import { CELLS, COUNTED, FOLDED, HIGH, HISTOGRAM, INPUT, LOW } from './layout'

/** The twin of `dedup/tokens.ts` and `dedup/simhash.ts`: the same 64 bits for the same text. */

const MIN_TOKENS: u32 = 40
const PROSE_TOKENS: u32 = 12
const PROSE_WEIGHT = 6
/** One in so many tokens must be prose. */
const PROSE_SHARE: u32 = 4

const EMPTY_WORD: i32 = 0x811c9dc5
const LINE_FEED: u32 = 0x0a
const ALONE: u32 = 0xffff

/** Hashes of the words, and for each 1 where it is the first of its block. */
let hashes: usize = 0
let starts: usize = 0
let count: u32 = 0

/** Makes room for a text of so many UTF-16 units. False: there is none. */
export function prepareText(units: u32): bool {
  hashes = (<usize>INPUT + <usize>units * 2 + 15) & ~15
  starts = hashes + <usize>units * 4 + 16
  const needed = (starts + units + 0x1ffff) >> 16
  return needed <= <usize>memory.size() || memory.grow(<i32>(needed - memory.size())) >= 0
}

/** False: the text is too short to compare. Its SimHash is in the cells `HIGH` and `LOW`. */
export function simhash(units: u32): bool {
  readTokens(units)
  if (count < MIN_TOKENS) return false
  const hasArticle = proseTokens() * PROSE_SHARE >= count
  memory.fill(HISTOGRAM, 0, 8 * 1024)
  memory.fill(COUNTED, 0, 8192 * 4)
  for (let start: u32 = 0; start < count; ) {
    const end = endOfBlock(start)
    if (hasArticle && end - start >= PROSE_TOKENS) countProse(start, end)
    else countPairs(start, end)
    start = end
  }
  store<u32>(CELLS + HIGH * 4, signs(0))
  store<u32>(CELLS + LOW * 4, signs(4))
  return true
}

function readTokens(units: u32): void {
  let hash = EMPTY_WORD
  let newBlock: u32 = 1
  let tokens: u32 = 0
  const end = <usize>INPUT + <usize>units * 2
  for (let at: usize = INPUT; at < end; at += 2) {
    const code = <u32>load<u16>(at)
    const letter = code < 0x250 ? <u32>load<u16>(FOLDED + code * 2) : folded(code)
    if (letter != 0 && letter != ALONE) {
      hash = (hash ^ letter) * 0x01000193
      continue
    }
    if (hash != EMPTY_WORD) {
      store<i32>(hashes + tokens * 4, hash)
      store<u8>(starts + tokens++, newBlock)
      newBlock = 0
      hash = EMPTY_WORD
    }
    if (letter == ALONE) {
      store<i32>(hashes + tokens * 4, code * 0x9e3779b1)
      store<u8>(starts + tokens++, newBlock)
      newBlock = 0
    } else if (code == LINE_FEED) newBlock = 1
  }
  if (hash != EMPTY_WORD) {
    store<i32>(hashes + tokens * 4, hash)
    store<u8>(starts + tokens++, newBlock)
  }
  // Ends the last block.
  store<u8>(starts + tokens, 1)
  count = tokens
}

function folded(code: u32): u32 {
  if (code < 0x530)
    return (code >= 0x410 && code < 0x430) || (code >= 0x391 && code < 0x3aa) ? code + 0x20 : code
  if (code < 0xe00) return code
  if (code < 0xf00) return ALONE
  if (code >= 0x1000 && code < 0x10a0) return ALONE
  if (code >= 0x1780 && code < 0x1800) return ALONE
  if (code < 0x2000) return code
  if (code < 0x3040) return code >= 0x2c00 && code < 0x2e00 ? code : 0
  if (code < 0xd7b0) return code >= 0xa000 && code < 0xac00 ? code : ALONE
  if (code < 0xe000) return ALONE
  return code >= 0xff00 || (code >= 0xfe00 && code < 0xfe70) ? 0 : code
}

function proseTokens(): u32 {
  let sum: u32 = 0
  for (let start: u32 = 0; start < count; ) {
    const end = endOfBlock(start)
    if (end - start >= PROSE_TOKENS) sum += end - start
    start = end
  }
  return sum
}

@inline function endOfBlock(start: u32): u32 {
  let end = start + 1
  while (load<u8>(starts + end) == 0) end++
  return end
}

@inline function hashAt(i: u32): i32 {
  return load<i32>(hashes + i * 4)
}

@inline function pairAt(i: u32): i32 {
  return hashAt(i) * 31 + hashAt(i + 1)
}

function countProse(start: u32, end: u32): void {
  for (let i = start; i < end; i++) {
    countFeature(hashAt(i), PROSE_WEIGHT)
    if (i + 1 < end) countFeature(pairAt(i), PROSE_WEIGHT)
  }
}

function countPairs(start: u32, end: u32): void {
  for (let i = start; i < end; i++) countFeature(i + 1 < end ? pairAt(i) : hashAt(i), 1)
}

function countFeature(feature: i32, weight: i32): void {
  const high = mix(feature ^ 0x3c6ef372)
  const place = COUNTED + (high & 8191) * 4
  if (load<i32>(place) == feature) return
  store<i32>(place, feature)
  const low = mix((feature * 0x2c1b3c6d) ^ high)
  add(0, high >> 24, weight)
  add(1, (high >> 16) & 255, weight)
  add(2, (high >> 8) & 255, weight)
  add(3, high & 255, weight)
  add(4, low >> 24, weight)
  add(5, (low >> 16) & 255, weight)
  add(6, (low >> 8) & 255, weight)
  add(7, low & 255, weight)
}

@inline function add(place: u32, value: u32, weight: i32): void {
  const at = HISTOGRAM + place * 1024 + value * 4
  store<i32>(at, load<i32>(at) + weight)
}

@inline function mix(hash: u32): u32 {
  let h = hash ^ (hash >> 16)
  h *= 0x7feb352d
  h ^= h >> 15
  h *= 0x846ca68b
  return h ^ (h >> 16)
}

/** Four bytes of the SimHash, from four places of the histogram. */
function signs(firstPlace: u32): u32 {
  let bits: u32 = 0
  for (let place = firstPlace; place < firstPlace + 4; place++) bits = (bits << 8) | signsAt(HISTOGRAM + place * 1024)
  return bits
}

/** A bit is set where more weight has it set than not: halves of the values laid upon each other, as in the twin. */
function signsAt(counts: usize): u32 {
  let byte: u32 = 0
  for (let half: u32 = 128; half > 0; half >>= 1) {
    let sum = 0
    const upper = half * 4
    for (let low = counts; low < counts + upper; low += 4) {
      const without = load<i32>(low)
      const having = load<i32>(low + upper)
      sum += having - without
      store<i32>(low, having + without)
    }
    if (sum > 0) byte |= half
  }
  return byte
}
