import { allOf, equal64 } from './bytes'
import { OPENS } from './layout'

/**
 * Places of `<`, found a piece of the document ahead: where the next tag begins is then known before the one before it has
 * been read, and the processor can work on both.
 */
const PIECE: usize = 2048
const NO_MORE: u32 = 0xffffffff

/** How far the document has been searched. */
let searchedTo: usize = 0

export function resetOpens(from: usize): void {
  searchedTo = from
  store<u32>(OPENS, NO_MORE)
}

/** The cursor at the first place from `at` on; behind the last one stands the end of the document. */
@inline export function nextOpen(cursor: usize, at: usize, end: usize): usize {
  let next = cursor
  while (<usize>load<u32>(next) < at) next += 4
  return load<u32>(next) == NO_MORE ? search(at, end) : next
}

@inline export function openAt(cursor: usize): usize {
  return <usize>load<u32>(cursor)
}

function search(from: usize, end: usize): usize {
  const wanted = allOf(0x3c)
  let out: usize = OPENS
  let at = max(from, searchedTo)
  while (out == OPENS && at < end) {
    for (const stop = min(at + PIECE, end); at < stop; at += 64) {
      const mask = equal64(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), wanted)
      if (mask != 0) out = note(out, at, mask)
    }
  }
  searchedTo = at
  if (out == OPENS) {
    store<u32>(out, <u32>end)
    out += 4
  }
  store<u32>(out, NO_MORE)
  return OPENS
}

/** Three at once, whether there are so many or not, because a loop would end where nobody can foresee it. */
@inline function note(out: usize, at: usize, bits: u64): usize {
  const behind = out + <usize>popcnt(bits) * 4
  let rest = bits
  let to = out
  do {
    store<u32>(to, <u32>(at + <usize>ctz(rest)))
    rest &= rest - 1
    store<u32>(to, <u32>(at + <usize>ctz(rest)), 4)
    rest &= rest - 1
    store<u32>(to, <u32>(at + <usize>ctz(rest)), 8)
    rest &= rest - 1
    to += 12
  } while (rest != 0)
  return behind
}
