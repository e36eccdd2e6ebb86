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

/** What is done when a body is given back stands at its memory while it is lent: to find it in a map takes far longer. */
const TAKE_BACK = Symbol('take back')

interface Memory {
  [TAKE_BACK]?: (() => void) | undefined
}

interface Lendable {
  readonly buffer: Buffer
  readonly memory: Memory
  readonly takeBack: () => void
}

const sizes = Array.from(sizesUpTo(LARGEST_BYTES))
const kept = sizes.map((): Lendable[] => [])
let keptBytes = 0

/** At least so many bytes, holding anything. */
export function borrowBuffer(bytes: number): Buffer {
  if (bytes < SMALLEST_BYTES || bytes > LARGEST_BYTES) return Buffer.allocUnsafeSlow(bytes)
  const size = sizeFor(bytes)
  const { buffer, memory, takeBack } = taken(size) ?? lendable(size)
  memory[TAKE_BACK] = takeBack
  return buffer
}

/** A body in memory that is not ours: `free` is called once when it is given back. */
export function lendForeign(body: Buffer, free: () => void): Buffer {
  memoryOf(body)[TAKE_BACK] = free
  return body
}

/** The caller, and whoever else knows the body, looks at it no more. A buffer that was not borrowed is left alone. */
export function giveBackBuffer(body: Buffer): void {
  const memory = memoryOf(body)
  const takeBack = memory[TAKE_BACK]
  if (!takeBack) return
  memory[TAKE_BACK] = undefined
  takeBack()
}

function memoryOf({ buffer }: Buffer): Memory {
  return buffer as Memory
}

function lendable(size: number): Lendable {
  const buffer = Buffer.allocUnsafeSlow(sizes[size]!)
  const made: Lendable = { buffer, memory: memoryOf(buffer), takeBack: () => keep(made, size) }
  return made
}

function keep(given: Lendable, size: number): void {
  const movedToAnotherThread = given.buffer.length === 0
  if (movedToAnotherThread) return
  const same = kept[size]!
  const bytes = sizes[size]!
  if (same.length >= KEPT_OF_A_SIZE || keptBytes + bytes > KEPT_BYTES) return
  same.push(given)
  keptBytes += bytes
}

function taken(size: number): Lendable | undefined {
  const found = kept[size]!.pop()
  if (found) keptBytes -= sizes[size]!
  return found
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
