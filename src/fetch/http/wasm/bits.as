/** The input as bits, from the lowest of each byte. Here heads of blocks are read; for symbols see `symbols.as`. */

/** What was loaded and not taken, and how many bits of it count; those above are the following ones, or zero. */
export let bits: u64 = 0
export let held: u32 = 0
export let next: usize = 0
let end: usize = 0

export function beginBits(from: usize, to: usize): void {
  bits = 0
  held = 0
  next = from
  end = to
}

/** At least 56 are held then. What is behind the input may be anything: `unreadBytes` tells who has taken of it. */
@inline export function refill(): void {
  bits |= load<u64>(next) << held
  next += (63 - held) >> 3
  held |= 56
}

@inline export function take(count: u32): u32 {
  const taken = <u32>bits & ((1 << count) - 1)
  drop(count)
  return taken
}

@inline export function drop(count: u32): void {
  bits >>= count
  held -= count
}

/** Somebody else has read up to here. */
export function goOnFrom(at: usize, itsBits: u64, itsHeld: u32): void {
  next = at
  bits = itsBits
  held = itsHeld
}

/** Forgets the rest of a byte that was begun; answers where the next one is. */
export function alignToByte(): usize {
  next -= held >> 3
  bits = 0
  held = 0
  return next
}

export function inputEnd(): usize {
  return end
}

/** Of whole bytes. Below zero: more was taken than there is. */
export function unreadBytes(): i32 {
  return <i32>(end - next) + <i32>(held >> 3)
}
