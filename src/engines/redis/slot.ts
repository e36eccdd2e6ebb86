/** The slot of a Cluster that a key belongs to: CRC16 (XMODEM) of its hash tag, or of all of it, modulo 16384. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  const tagged = open >= 0 && close > open + 1 ? key.slice(open + 1, close) : key
  return crc16(Buffer.from(tagged)) % 16384
}

function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
