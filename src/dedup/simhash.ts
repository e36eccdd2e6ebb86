import type { PageText } from '../parse/page-text.ts'
import { BitCounts, maxNumbers } from './bit-counts.ts'
import { mix } from './mix.ts'
import { Tokenizer, type Tokens } from './tokens.ts'

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

const tokenizer = new Tokenizer()
// A word or pair counts where it first stands: counted each time, "of the" would make all long English texts alike.
// One place for each remainder of the hash is enough: a place taken over by another only counts a feature again.
const counted = new Int32Array(8192)
/** Words and pairs that wait to be counted, two at a time, and both halves of the 64 bits of each. */
const features = new Int32Array(maxNumbers + 8)
const highHalves = new Int32Array(maxNumbers + 8)
const lowHalves = new Int32Array(maxNumbers + 8)
const highCounts = new BitCounts()
const lowCounts = new BitCounts()
const ENOUGH = maxNumbers - 2

/** 16 hexadecimal digits, or empty for a text too short to compare. */
export function simhash(text: PageText): string {
  const found = tokenizer.read(typeof text === 'string' ? Buffer.from(text) : text.bytes)
  if (found.count < MIN_TOKENS) return ''
  const hasArticle = proseTokens(found) >= found.count * PROSE_SHARE
  counted.fill(0)
  highCounts.clear()
  lowCounts.clear()
  const proseCount = hasArticle ? countProse(found) : 0
  const pairCount = countPairs(found, hasArticle ? PROSE_TOKENS : Number.POSITIVE_INFINITY)
  const weight = proseCount * PROSE_WEIGHT + pairCount
  return signs(highCounts, weight) + signs(lowCounts, weight)
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

/** Answers how many it counted. */
function countProse({ hashes, blockCount, blockEnds }: Tokens): number {
  let waiting = 0
  let count = 0
  for (let block = 0, start = 0; block < blockCount; start = blockEnds[block++]!) {
    const end = blockEnds[block]!
    if (end - start < PROSE_TOKENS) continue
    for (let i = start; i < end; i++) {
      waiting += isNew(hashes[i]!, waiting)
      if (i + 1 < end) waiting += isNew(pairOf(hashes, i), waiting)
      if (waiting < ENOUGH) continue
      count += countAll(waiting, PROSE_WEIGHT)
      waiting = 0
    }
  }
  return count + countAll(waiting, PROSE_WEIGHT)
}

/** Of blocks with fewer words. The last word of a block stands alone, so that a block of one word counts too. */
function countPairs({ hashes, blockCount, blockEnds }: Tokens, maxWords: number): number {
  let waiting = 0
  let count = 0
  for (let block = 0, start = 0; block < blockCount; start = blockEnds[block++]!) {
    const end = blockEnds[block]!
    if (end - start >= maxWords) continue
    for (let i = start; i < end; i++) {
      waiting += isNew(i + 1 < end ? pairOf(hashes, i) : hashes[i]!, waiting)
      if (waiting < ENOUGH) continue
      count += countAll(waiting, 1)
      waiting = 0
    }
  }
  return count + countAll(waiting, 1)
}

function pairOf(hashes: Int32Array, i: number): number {
  return (Math.imul(hashes[i]!, 31) + hashes[i + 1]!) | 0
}

/**
 * Lets a feature wait at this place; answers 1, or 0 if it was counted before, so that the next one takes its place. Which of
 * them it is no processor can foretell: a branch would cost more than this.
 */
function isNew(feature: number, place: number): number {
  const slot = Math.imul(feature, 0x9e3779b1) >>> 19
  const difference = counted[slot]! ^ feature
  counted[slot] = feature
  features[place] = feature
  return (difference | -difference) >>> 31
}

/** Answers how many they were. */
function countAll(waiting: number, weight: number): number {
  for (let i = 0; i < waiting; i++) {
    const feature = features[i]!
    const high = mix(feature ^ 0x3c6ef372)
    highHalves[i] = high
    lowHalves[i] = mix(Math.imul(feature, 0x2c1b3c6d) ^ high)
  }
  highHalves.fill(0, waiting, waiting + 8)
  lowHalves.fill(0, waiting, waiting + 8)
  highCounts.add(highHalves, waiting, weight)
  lowCounts.add(lowHalves, waiting, weight)
  return waiting
}

/** A bit is set where more weight has it set than not. */
function signs(counts: BitCounts, weight: number): string {
  let bits = 0
  for (let bit = 0; bit < 32; bit++) if (counts.of(bit) * 2 > weight) bits |= 1 << bit
  return (bits >>> 0).toString(16).padStart(8, '0')
}
