/**
 * Memory for decoded bodies, used again once a body's reader has given it back. Fresh memory for every body, which the
 * kernel has to clear page by page, costs a quarter of what inflating it does. Whoever gives nothing back does no harm:
 * then the garbage collector has the work.
 */
const SMALLEST_BYTES = 32 * 1024
const SIZES = 7
/** Bodies are decoded and read one after the other: hardly ever are more of one size in use at the same time. */
const KEPT_OF_A_SIZE = 4

const kept = Array.from({ length: SIZES }, (): Buffer[] => [])
const lent = new WeakMap<ArrayBufferLike, Buffer>()

/** At least so many bytes, holding anything. */
export function borrowBuffer(bytes: number): Buffer {
  const size = sizeFor(bytes)
  if (size >= SIZES) return Buffer.allocUnsafeSlow(bytes)
  const buffer = kept[size]!.pop() ?? Buffer.allocUnsafeSlow(SMALLEST_BYTES << size)
  lent.set(buffer.buffer, buffer)
  return buffer
}

/** The caller, and whoever else knows the body, looks at it no more. A buffer that was not borrowed is left alone. */
export function giveBackBuffer(body: Buffer): void {
  const buffer = lent.get(body.buffer)
  if (!buffer) return
  lent.delete(body.buffer)
  const same = kept[sizeFor(buffer.length)]!
  if (same.length < KEPT_OF_A_SIZE) same.push(buffer)
}

/** Each size is twice the one before. */
function sizeFor(bytes: number): number {
  let size = 0
  while (size < SIZES && SMALLEST_BYTES << size < bytes) size++
  return size
}
