/** Where a byte stands next, or -1. `view`: of the same bytes. A call into native code pays off only for what is not near. */
export function findByte(bytes: Buffer, view: DataView, byte: number, from: number): number {
  const near = Math.min(bytes.length - 4, from + 128)
  const wanted = Math.imul(byte, 0x01010101)
  let at = from
  for (; at <= near; at += 4) {
    // Four at once: a byte that is the one wanted becomes zero, and then one below zero.
    const four = view.getInt32(at, true) ^ wanted
    const zeros = (four - 0x01010101) & ~four & 0x80808080
    if (zeros !== 0) return at + ((31 - Math.clz32(zeros & -zeros)) >> 3)
  }
  return bytes.indexOf(byte, at)
}
