import { BIT_COUNTS, CELLS, COUNTED, FEATURES, FEATURES_HIGH, FEATURES_LOW, HIGH, LOW } from './layout'
import { blockCount, blockEnd, hashAt, readWords, roomForWords, wordCount } from './words'

/** The twin of `dedup/simhash.ts`: the same 64 bits for the same text. */

const MIN_TOKENS: u32 = 40
const PROSE_TOKENS: u32 = 12
const PROSE_WEIGHT = 6
/** One in so many tokens must be prose. */
const PROSE_SHARE: u32 = 4

/** When so many features wait they are counted: 255 fit into bytes, and two come at a time, or three at the end. */
const ENOUGH: usize = FEATURES + 252 * 4

/** Of what a feature becomes; in memory, since the compiler of the host would make constants anew wherever they are used. */
const FACTORS = memory.data<u32>([0x3c6ef372, 0x2c1b3c6d, 0x7feb352d, 0x846ca68b])
/** Eight times each of the lower two bytes of four numbers; and the bits of a byte. */
const SPREADS = memory.data<u64>([
  0x0000000000000000, 0x0101010101010101, 0x0404040404040404, 0x0505050505050505, 0x0808080808080808, 0x0909090909090909,
  0x0c0c0c0c0c0c0c0c, 0x0d0d0d0d0d0d0d0d, 0x8040201008040201, 0x8040201008040201,
])

/** Weight of all that were counted. */
let total: i32 = 0

/** Makes room for the words of a text of so many bytes. False: there is none. */
export function prepareText(at: usize, bytes: u32): bool {
  const needed = (at + bytes + roomForWords(bytes) + 0xffff) >> 16
  return needed <= <usize>memory.size() || memory.grow(<i32>(needed - memory.size())) >= 0
}

/** False: the text is too short to compare. Its SimHash is in the cells `HIGH` and `LOW`. */
export function simhash(at: usize, bytes: u32): bool {
  readWords(at, bytes)
  if (wordCount < MIN_TOKENS) return false
  const hasArticle = proseTokens() * PROSE_SHARE >= wordCount
  memory.fill(COUNTED, 0, 8192 * 4)
  memory.fill(BIT_COUNTS, 0, 64 * 4)
  total = 0
  if (hasArticle) countProse()
  countPairs(hasArticle ? PROSE_TOKENS : u32.MAX_VALUE)
  store<u32>(CELLS + HIGH * 4, signs(32))
  store<u32>(CELLS + LOW * 4, signs(0))
  return true
}

function proseTokens(): u32 {
  let sum: u32 = 0
  let start: u32 = 0
  for (let block: u32 = 0; block < blockCount; block++) {
    const end = blockEnd(block)
    if (end - start >= PROSE_TOKENS) sum += end - start
    start = end
  }
  return sum
}

@inline function pairOf(hash: i32, next: i32): i32 {
  return hash * 31 + next
}

function countProse(): void {
  let next: usize = FEATURES
  let start: u32 = 0
  for (let block: u32 = 0; block < blockCount; block++) {
    const end = blockEnd(block)
    if (end - start >= PROSE_TOKENS) {
      let hash = hashAt(start)
      for (let i = start + 1; i < end; i++) {
        const following = hashAt(i)
        next = addFeature(next, hash)
        next = addFeature(next, pairOf(hash, following))
        if (next >= ENOUGH) next = addUp(next, PROSE_WEIGHT)
        hash = following
      }
      next = addFeature(next, hash)
    }
    start = end
  }
  addUp(next, PROSE_WEIGHT)
}

/** Of blocks with fewer words. The last word of a block stands alone. */
function countPairs(maxWords: u32): void {
  let next: usize = FEATURES
  let start: u32 = 0
  for (let block: u32 = 0; block < blockCount; block++) {
    const end = blockEnd(block)
    if (end - start < maxWords) {
      let hash = hashAt(start)
      for (let i = start + 1; i <= end; i++) {
        const following = hashAt(i)
        next = addFeature(next, i < end ? pairOf(hash, following) : hash)
        if (next >= ENOUGH) next = addUp(next, 1)
        hash = following
      }
    }
    start = end
  }
  addUp(next, 1)
}

/** Puts a feature to those that wait, unless it was counted; answers the place of the next. */
@inline function addFeature(next: usize, feature: i32): usize {
  const place = COUNTED + ((feature * 0x9e3779b1) >>> 19) * 4
  // Whether a feature comes again nobody can foretell: a branch on it would cost more than all of this.
  const isNew = load<i32>(place) != feature
  store<i32>(place, feature)
  store<i32>(next, feature)
  return next + (<usize>isNew << 2)
}

/** Counts how many of those that wait have each bit set; answers the place of the next. */
function addUp(end: usize, weight: i32): usize {
  const salt = v128.load32_splat(FACTORS)
  const lowFactor = v128.load32_splat(FACTORS, 4)
  const first = v128.load32_splat(FACTORS, 8)
  const second = v128.load32_splat(FACTORS, 12)
  for (let at: usize = FEATURES; at < end; at += 16) {
    const feature = v128.load(at)
    const high = mix(v128.xor(feature, salt), first, second)
    v128.store(at + (FEATURES_HIGH - FEATURES), high)
    v128.store(at + (FEATURES_LOW - FEATURES), mix(v128.xor(i32x4.mul(feature, lowFactor), high), first, second))
  }
  const bytes = end - FEATURES
  addUpBits(FEATURES_LOW, FEATURES_LOW + bytes, 0, weight)
  addUpBits(FEATURES_HIGH, FEATURES_HIGH + bytes, 32, weight)
  total += weight * <i32>(bytes >> 2)
  return FEATURES
}

@inline function mix(hash: v128, first: v128, second: v128): v128 {
  let h = v128.xor(hash, i32x4.shr_u(hash, 16))
  h = i32x4.mul(h, first)
  h = v128.xor(h, i32x4.shr_u(h, 15))
  h = i32x4.mul(h, second)
  return v128.xor(h, i32x4.shr_u(h, 16))
}

/**
 * The 32 bits of one half. Eight times four features are added bit by bit, as adders of single bits do it, to the digits
 * `ones`, `twos`, `fours`; only the eights, an eighth of the work, are counted in bytes.
 */
function addUpBits(from: usize, end: usize, firstBit: i32, weight: i32): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(end + i, i64x2.splat(0))
  const a = v128.load(SPREADS)
  const b = v128.load(SPREADS, 16)
  const c = v128.load(SPREADS, 32)
  const d = v128.load(SPREADS, 48)
  const bits = v128.load(SPREADS, 64)
  let ones = i64x2.splat(0)
  let twos = i64x2.splat(0)
  let fours = i64x2.splat(0)
  let low = i64x2.splat(0)
  let high = i64x2.splat(0)
  for (let at = from; at < end; at += 128) {
    const twosA = carry(ones, v128.load(at), v128.load(at, 16))
    ones = sum(ones, v128.load(at), v128.load(at, 16))
    const twosB = carry(ones, v128.load(at, 32), v128.load(at, 48))
    ones = sum(ones, v128.load(at, 32), v128.load(at, 48))
    const foursA = carry(twos, twosA, twosB)
    twos = sum(twos, twosA, twosB)
    const twosC = carry(ones, v128.load(at, 64), v128.load(at, 80))
    ones = sum(ones, v128.load(at, 64), v128.load(at, 80))
    const twosD = carry(ones, v128.load(at, 96), v128.load(at, 112))
    ones = sum(ones, v128.load(at, 96), v128.load(at, 112))
    const foursB = carry(twos, twosC, twosD)
    twos = sum(twos, twosC, twosD)
    const eights = carry(fours, foursA, foursB)
    fours = sum(fours, foursA, foursB)
    low = i8x16.sub(low, inBytes(eights, a, b, c, d, bits))
    high = i8x16.sub(high, inBytes(i32x4.shr_u(eights, 16), a, b, c, d, bits))
  }
  low = i8x16.sub(i8x16.shl(low, 1), inBytes(fours, a, b, c, d, bits))
  low = i8x16.sub(i8x16.shl(low, 1), inBytes(twos, a, b, c, d, bits))
  low = i8x16.sub(i8x16.shl(low, 1), inBytes(ones, a, b, c, d, bits))
  high = i8x16.sub(i8x16.shl(high, 1), inBytes(i32x4.shr_u(fours, 16), a, b, c, d, bits))
  high = i8x16.sub(i8x16.shl(high, 1), inBytes(i32x4.shr_u(twos, 16), a, b, c, d, bits))
  high = i8x16.sub(i8x16.shl(high, 1), inBytes(i32x4.shr_u(ones, 16), a, b, c, d, bits))
  addCounts(firstBit, low, weight)
  addCounts(firstBit + 16, high, weight)
}

@inline function sum(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c)
}

@inline function carry(a: v128, b: v128, c: v128): v128 {
  return v128.or(v128.and(a, b), v128.and(v128.xor(a, b), c))
}

/** The lower 16 bits of four numbers, in a byte for each bit: less one for each number that has it set. */
@inline function inBytes(numbers: v128, a: v128, b: v128, c: v128, d: v128, bits: v128): v128 {
  return i8x16.add(
    i8x16.add(setBits(i8x16.swizzle(numbers, a), bits), setBits(i8x16.swizzle(numbers, b), bits)),
    i8x16.add(setBits(i8x16.swizzle(numbers, c), bits), setBits(i8x16.swizzle(numbers, d), bits)),
  )
}

@inline function setBits(bytes: v128, bits: v128): v128 {
  return i8x16.eq(v128.and(bytes, bits), bits)
}

@inline function addCounts(firstBit: i32, sums: v128, weight: i32): void {
  const at = <usize>BIT_COUNTS + firstBit * 4
  const low = i16x8.extend_low_i8x16_u(sums)
  const high = i16x8.extend_high_i8x16_u(sums)
  addFour(at, i32x4.extend_low_i16x8_u(low), weight)
  addFour(at + 16, i32x4.extend_high_i16x8_u(low), weight)
  addFour(at + 32, i32x4.extend_low_i16x8_u(high), weight)
  addFour(at + 48, i32x4.extend_high_i16x8_u(high), weight)
}

@inline function addFour(at: usize, counts: v128, weight: i32): void {
  v128.store(at, i32x4.add(v128.load(at), i32x4.mul(counts, i32x4.splat(weight))))
}

/** A bit is set where more weight has it set than not. */
function signs(firstBit: i32): u32 {
  let bits: u32 = 0
  for (let bit = 0; bit < 32; bit++) {
    const having = load<i32>(BIT_COUNTS + (firstBit + bit) * 4)
    if (having * 2 > total) bits |= 1 << bit
  }
  return bits
}
