import { mix } from './mix.ts'
import { createTokenizer, type Tokens } from './tokens.ts'

/**
 * SimHash of a text: 64 bits that differ in few places when two texts share nearly all their pairs of words. What makes
 * it right for web pages is the weight of a pair: short blocks (menus, dates, advertisements) are what pages of one site
 * share and what changes between two loads of one page; long blocks are the article. So a pair in a long block counts
 * several times and its words count too, which forgives small edits.
 */

/** Texts with fewer words (or characters, where words are not parted by spaces) are too short to compare. */
const MIN_TOKENS = 40

/** A block with this many words is prose. */
const PROSE_TOKENS = 12
const PROSE_WEIGHT = 6
/** Below this share of the text, prose is no article but a footer, and gets no weight of its own. */
const PROSE_SHARE = 1 / 4

const tokens = createTokenizer()
const BYTES = 8
// Counting how often each byte value stands at each of 8 places takes 8 steps for a pair, where counting bits takes 64.
const histogram = new Int32Array(BYTES * 256)
// A word or pair counts where it first stands: counted each time, "of the" would make all long English texts alike.
// One place for each remainder of the hash is enough: a place taken over by another only counts a feature again.
const counted = new Int32Array(8192)

/** 16 hexadecimal digits, or empty for a text too short to compare. */
export function simhash(text: string): string {
  const found = tokens.read(text)
  if (found.count < MIN_TOKENS) return ''
  const hasArticle = proseTokens(found) >= found.count * PROSE_SHARE
  histogram.fill(0)
  counted.fill(0)
  if (hasArticle) countProse(found)
  countPairs(found, hasArticle ? PROSE_TOKENS : Number.POSITIVE_INFINITY)
  return signs()
}

/** How many of the 64 bits differ. */
export function distance(a: string, b: string): number {
  const high = Number.parseInt(a.slice(0, 8), 16) ^ Number.parseInt(b.slice(0, 8), 16)
  return bitCount(high) + bitCount(Number.parseInt(a.slice(8), 16) ^ Number.parseInt(b.slice(8), 16))
}

/** Of a 32-bit integer. */
export function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function proseTokens(found: Tokens): number {
  let sum = 0
  for (let block = 0, start = 0; block < found.blockCount; block++) {
    const end = found.blockEnds[block]!
    if (end - start >= PROSE_TOKENS) sum += end - start
    start = end
  }
  return sum
}

function countProse({ hashes, blockCount, blockEnds }: Tokens): void {
  for (let block = 0, start = 0; block < blockCount; start = blockEnds[block++]!) {
    const end = blockEnds[block]!
    if (end - start < PROSE_TOKENS) continue
    for (let i = start; i < end; i++) {
      count(hashes[i]!, PROSE_WEIGHT)
      if (i + 1 < end) count(pairOf(hashes, i), PROSE_WEIGHT)
    }
  }
}

/** Of blocks with fewer words. The last word of a block stands alone, so that a block of one word counts too. */
function countPairs({ hashes, blockCount, blockEnds }: Tokens, maxWords: number): void {
  for (let block = 0, start = 0; block < blockCount; start = blockEnds[block++]!) {
    const end = blockEnds[block]!
    if (end - start >= maxWords) continue
    for (let i = start; i < end; i++) count(i + 1 < end ? pairOf(hashes, i) : hashes[i]!, 1)
  }
}

function pairOf(hashes: Int32Array, i: number): number {
  return (Math.imul(hashes[i]!, 31) + hashes[i + 1]!) | 0
}

function count(feature: number, weight: number): void {
  const place = Math.imul(feature, 0x9e3779b1) >>> 19
  if (counted[place] === feature) return
  counted[place] = feature
  const high = mix(feature ^ 0x3c6ef372)
  const low = mix(Math.imul(feature, 0x2c1b3c6d) ^ high)
  histogram[high >>> 24]! += weight
  histogram[256 + ((high >>> 16) & 255)]! += weight
  histogram[512 + ((high >>> 8) & 255)]! += weight
  histogram[768 + (high & 255)]! += weight
  histogram[1024 + (low >>> 24)]! += weight
  histogram[1280 + ((low >>> 16) & 255)]! += weight
  histogram[1536 + ((low >>> 8) & 255)]! += weight
  histogram[1792 + (low & 255)]! += weight
}

/** A bit is set where more weight has it set than not. */
function signs(): string {
  let digits = ''
  for (let place = 0; place < BYTES; place++) digits += HEX[byteOfSigns(place * 256)]!
  return digits
}

/**
 * The upper half of the values has the highest bit set, the lower has not. Laid upon each other they are the values
 * without that bit, and the next one can be asked for: so each value is looked at twice and not eight times.
 */
function byteOfSigns(from: number): number {
  let byte = 0
  for (let half = 128; half > 0; half >>= 1) {
    let sum = 0
    for (let low = from; low < from + half; low++) {
      const [without, having] = [histogram[low]!, histogram[low + half]!]
      sum += having - without
      histogram[low] = having + without
    }
    if (sum > 0) byte |= half
  }
  return byte
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
