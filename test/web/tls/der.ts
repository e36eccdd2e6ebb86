/** Distinguished Encoding Rules, as far as a certificate needs them. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthBytes(content.length), content])
}

export const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
export const set = (...parts: readonly Buffer[]) => der(0x31, ...parts)
export const octets = (content: Buffer) => der(0x04, content)
export const bits = (content: Buffer) => der(0x03, Buffer.of(0), content)
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
export const truth = () => der(0x01, Buffer.of(0xff))
/** Constructed, context-specific. */
export const tagged = (number: number, ...parts: readonly Buffer[]) => der(0xa0 + number, ...parts)

/** Not negative. */
export function integer(value: number | Buffer): Buffer {
  const given = typeof value === 'number' ? Buffer.of(value) : value
  // The shortest form is the only one: a random number may begin with zeros.
  const first = given.findIndex((byte) => byte !== 0)
  const bytes = given.subarray(first < 0 ? given.length - 1 : first)
  return der(0x02, bytes[0]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

/** `1.2.840.10045.4.3.2` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** GeneralizedTime to the second. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return der(0x18, Buffer.from(digits))
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff)
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
