/**
 * Memory for bodies, as received and decoded, used again once whoever held a body has given it back. Fresh memory for
 * every body, which the kernel has to clear page by page, costs a quarter of what inflating it does; and bodies that wait
 * for the garbage collector, which does not see how large they are, would be most of a crawl's memory. Whoever gives
 * nothing back does no harm: then the garbage collector has the work.
 */
/** Less is not worth the trouble. */
const SMALLEST_BYTES = 8 * 1024
const LARGEST_BYTES = 2 * 1024 * 1024
/** So that a buffer is at most a quarter larger than what was asked for. */
const SIZES_IN_A_DOUBLING = 4
const KEPT_OF_A_SIZE = 16
const KEPT_BYTES = 8 * 1024 * 1024

const sizes = Array.from(sizesUpTo(LARGEST_BYTES))
const kept = sizes.map((): Buffer[] => [])
const lent = new WeakMap<ArrayBufferLike, Buffer>()
const foreign = new WeakMap<ArrayBufferLike, () => void>()
let keptBytes = 0

/** At least so many bytes, holding anything. */
export function borrowBuffer(bytes: number): Buffer {
  if (bytes < SMALLEST_BYTES || bytes > LARGEST_BYTES) return Buffer.allocUnsafeSlow(bytes)
  const size = sizeFor(bytes)
  const buffer = taken(size) ?? Buffer.allocUnsafeSlow(sizes[size]!)
  lent.set(buffer.buffer, buffer)
  return buffer
}

/** A body in memory that is not ours: `free` is called once when it is given back. */
export function lendForeign(body: Buffer, free: () => void): Buffer {
  foreign.set(body.buffer, free)
  return body
}

/** The caller, and whoever else knows the body, looks at it no more. A buffer that was not borrowed is left alone. */
export function giveBackBuffer(body: Buffer): void {
  giveBackForeign(body)
  const buffer = lent.get(body.buffer)
  if (!buffer) return
  lent.delete(body.buffer)
  const movedToAnotherThread = buffer.length === 0
  if (movedToAnotherThread) return
  const same = kept[sizeFor(buffer.length)]!
  if (same.length >= KEPT_OF_A_SIZE || keptBytes + buffer.length > KEPT_BYTES) return
  same.push(buffer)
  keptBytes += buffer.length
}

function giveBackForeign(body: Buffer): void {
  const free = foreign.get(body.buffer)
  if (!free) return
  foreign.delete(body.buffer)
  free()
}

function taken(size: number): Buffer | undefined {
  const buffer = kept[size]!.pop()
  if (buffer) keptBytes -= buffer.length
  return buffer
}

function* sizesUpTo(largest: number): Generator<number> {
  for (let size = SMALLEST_BYTES; size < largest; size *= 2)
    for (let step = 0; step < SIZES_IN_A_DOUBLING; step++) yield size + (size / SIZES_IN_A_DOUBLING) * step
  yield largest
}

/** The smallest of the sizes that is large enough. */
function sizeFor(bytes: number): number {
  if (bytes === SMALLEST_BYTES) return 0
  const doublings = 31 - Math.clz32((bytes - 1) / SMALLEST_BYTES)
  const below = SMALLEST_BYTES << doublings
  return doublings * SIZES_IN_A_DOUBLING + Math.ceil(((bytes - below) * SIZES_IN_A_DOUBLING) / below)
}
