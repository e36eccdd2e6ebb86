import { bits as headBits, goOnFrom, held as headHeld, inputEnd, next as headNext } from './bits'
import {
  bytesOf,
  countOfBytes,
  DISTANCE_BITS,
  distanceOf,
  END_OF_BLOCK,
  lengthOf,
  NOT_BYTES,
  SPECIAL,
  STALE_BITS,
  SUB_TABLE,
  SYMBOL_BITS,
  valueOf,
} from './entries'
import { DISTANCES, OUTPUT, SYMBOLS } from './layout'

/**
 * The symbols of a block, nearly all of the work, as libdeflate reads them: eight bytes loaded at a time; tables whose
 * entries say all about a symbol, or about two; matches copied by words; one look at both ends for each turn. Whether
 * bytes or a match follow is often foretold wrongly: what either of them needs from the tables is asked for before, so
 * that it has come when the processor begins anew. What changes all the time is in local variables, since these become
 * registers. That is why this is one function, in which some lines stand more than once.
 */

/** A distance whose code is not in a sub-table takes up to 21 bits; behind it the next symbol is looked up at once. */
const ENOUGH_FOR_DISTANCE: u32 = DISTANCE_BITS + 13 + SYMBOL_BITS + STALE_BITS
/** No more is loaded ahead of what is taken. */
const AHEAD_BYTES: usize = 8

/** Where the output ends now; 0: the block is broken, or goes beyond the input or the room for the output. */
export function readSymbols(output: usize, outputEnd: usize): usize {
  const inputLimit = inputEnd() + AHEAD_BYTES
  let out = output
  let next = headNext
  let bits = headBits << STALE_BITS
  let held = headHeld + STALE_BITS
  if (held > 63) {
    held -= 8
    next--
  }
  bits = withNext(bits, held, next)
  next += loadedBytes(held)
  held |= 56
  let entry = symbolAt(bits)
  for (;;) {
    // Beyond one of both, by a single jump.
    if (<i32>((outputEnd - out) | (inputLimit - next)) < 0) return 0
    let before = bits
    bits >>= <u64>entry
    held -= entry
    let ifBytes = symbolAt(bits)
    let ifMatch = distanceAt(bits)
    store<u16>(out, bytesOf(entry))
    out += countOfBytes(entry)
    if (!(entry & NOT_BYTES)) {
      entry = ifBytes
      before = bits
      bits >>= <u64>entry
      held -= entry
      ifBytes = symbolAt(bits)
      ifMatch = distanceAt(bits)
      store<u16>(out, bytesOf(entry))
      out += countOfBytes(entry)
      if (!(entry & NOT_BYTES)) {
        entry = ifBytes
        bits = withNext(bits, held, next)
        next += loadedBytes(held)
        held |= 56
        continue
      }
    }
    if (entry & SPECIAL) {
      if (entry & SUB_TABLE) {
        entry = load<u32>(placeInSubTable(entry, bits), SYMBOLS)
        before = bits
        bits >>= <u64>entry
        held -= entry
        if (!(entry & NOT_BYTES)) {
          store<u8>(out++, <u8>bytesOf(entry))
          entry = symbolAt(bits)
          bits = withNext(bits, held, next)
          next += loadedBytes(held)
          held |= 56
          continue
        }
      }
      if (entry & END_OF_BLOCK) break
      if (entry & SPECIAL) return 0
      ifMatch = distanceAt(bits)
    }
    const length = lengthOf(entry, before)
    entry = ifMatch
    if (entry & SPECIAL) {
      if (!(entry & SUB_TABLE)) return 0
      bits = withNext(bits, held, next)
      next += loadedBytes(held)
      held |= 56
      bits >>= <u64>entry
      held -= entry
      entry = load<u32>(placeInSubTable(entry, bits), DISTANCES)
      if (entry & SPECIAL) return 0
    } else if ((held & 63) < ENOUGH_FOR_DISTANCE) {
      bits = withNext(bits, held, next)
      next += loadedBytes(held)
      held |= 56
    }
    const distance = distanceOf(entry, bits)
    bits >>= <u64>entry
    held -= entry
    const from = out
    if (from - distance < <usize>OUTPUT) return 0
    out += length
    // Before copying, which it need not wait for.
    entry = symbolAt(bits)
    bits = withNext(bits, held, next)
    next += loadedBytes(held)
    held |= 56
    copyMatch(from, distance, out)
  }
  goOnFrom(next, bits >> STALE_BITS, (held & 63) - STALE_BITS)
  return out
}

@inline function symbolAt(bits: u64): u32 {
  return load<u32>(<usize>bits & (((1 << SYMBOL_BITS) - 1) << STALE_BITS), SYMBOLS)
}

@inline function distanceAt(bits: u64): u32 {
  return load<u32>(<usize>bits & (((1 << DISTANCE_BITS) - 1) << STALE_BITS), DISTANCES)
}

/** Offset in the table of what the bits mean, when `entry` has led to a sub-table. */
@inline function placeInSubTable(entry: u32, bits: u64): usize {
  const subBits = (<usize>entry >> 8) & 15
  return (<usize>valueOf(entry) << 2) + (<usize>bits & (((1 << subBits) - 1) << STALE_BITS))
}

/** Of `held` only six bits count here: whole entries are taken from it. */
@inline function withNext(bits: u64, held: u32, next: usize): u64 {
  return bits | (load<u64>(next) << <u64>held)
}

@inline function loadedBytes(held: u32): usize {
  return (~held >> 3) & 7
}

/** Repeats what is `distance` before `from` until `to`, and up to 63 bytes more. */
@inline function copyMatch(from: usize, distance: usize, to: usize): void {
  let target = from
  let source = from - distance
  if (distance >= 16) {
    // Nearly all matches are shorter: one turn, and no jump to foretell.
    do {
      v128.store(target, v128.load(source))
      v128.store(target, v128.load(source, 16), 16)
      v128.store(target, v128.load(source, 32), 32)
      v128.store(target, v128.load(source, 48), 48)
      source += 64
      target += 64
    } while (target < to)
  } else if (distance == 1) {
    const bytes = i8x16.splat(load<i8>(source))
    do {
      v128.store(target, bytes)
      target += 16
    } while (target < to)
  } else {
    // Of each word, only as much as the distance is right; the next word corrects the rest.
    const step = min<usize>(distance, 8)
    do {
      store<u64>(target, load<u64>(source))
      source += step
      target += step
    } while (target < to)
  }
}
