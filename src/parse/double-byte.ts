import { BIG5_EXTENSIONS } from './big5-extensions.ts'
import { writeUtf8 } from './utf8.ts'

/**
 * Big5 and EUC-KR as the encoding standard has them. The platform's decoders know the old planes only: without the
 * characters of Hong Kong, and without three in four of the Korean syllables, which real pages use.
 */
interface DoubleByte {
  /** By pointer: code point, or 0. Some hold two, the second from bit 21 on. */
  readonly table: Uint32Array
  /** The place of a pair of bytes in the table, or -1. */
  pointer(lead: number, trail: number): number
}

const ASCII_END = 0x80
const REPLACEMENT = 0xfffd
const CODE_BITS = 21

export function big5ToUtf8(bytes: Buffer): Buffer {
  big5 ??= { table: big5Table(), pointer: big5Pointer }
  return toUtf8(bytes, big5)
}

export function eucKrToUtf8(bytes: Buffer): Buffer {
  eucKr ??= { table: eucKrTable(), pointer: eucKrPointer }
  return toUtf8(bytes, eucKr)
}

let big5: DoubleByte | undefined
let eucKr: DoubleByte | undefined

function toUtf8(bytes: Buffer, { table, pointer }: DoubleByte): Buffer {
  // A byte that stands for nothing becomes three.
  const out = Buffer.allocUnsafe(bytes.length * 3)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!
    if (lead < ASCII_END) {
      out[length++] = lead
      continue
    }
    const trail = at + 1 < bytes.length ? bytes[at + 1]! : 0
    const place = lead > ASCII_END && lead < 0xff && trail > 0 ? pointer(lead, trail) : -1
    const code = place < 0 ? 0 : table[place]!
    length = writeUtf8(out, length, code === 0 ? REPLACEMENT : code & ((1 << CODE_BITS) - 1))
    if (code >>> CODE_BITS !== 0) length = writeUtf8(out, length, code >>> CODE_BITS)
    // Markup is never swallowed by half a character before it.
    const isPair = lead > ASCII_END && lead < 0xff && at + 1 < bytes.length
    if (isPair && (code !== 0 || trail >= ASCII_END)) at++
  }
  return out.subarray(0, length)
}

const BIG5_ROW = 157

function big5Pointer(lead: number, trail: number): number {
  const column = trail >= 0x40 && trail <= 0x7e ? trail - 0x40 : trail >= 0xa1 && trail <= 0xfe ? trail - 0x62 : -1
  return column < 0 ? -1 : (lead - 0x81) * BIG5_ROW + column
}

/** `Ê` and `ê` with a macron or caron, which Unicode writes with two characters. */
const BIG5_PAIRS = { 1133: [0xca, 0x304], 1135: [0xca, 0x30c], 1164: [0xea, 0x304], 1166: [0xea, 0x30c] } as const

function big5Table(): Uint32Array {
  const first = big5Pointer(0xa1, 0x40)
  const table = platformTable('big5', big5Pointer, 126 * BIG5_ROW)
  table.fill(0, 0, first)
  for (const [start, characters] of BIG5_EXTENSIONS)
    for (const [index, character] of [...characters].entries())
      table[start + index] = character === ' ' ? 0 : character.codePointAt(0)!
  for (const [place, [letter, mark]] of Object.entries(BIG5_PAIRS)) table[Number(place)] = letter | (mark << CODE_BITS)
  return table
}

const EUC_KR_ROW = 190

function eucKrPointer(lead: number, trail: number): number {
  return trail < 0x41 || trail > 0xfe ? -1 : (lead - 0x81) * EUC_KR_ROW + trail - 0x41
}

/** What the first standard left out of the 11,172 syllables follows in their order, wherever it has left room. */
function eucKrTable(): Uint32Array {
  const table = platformTable('euc-kr', eucKrPointer, 126 * EUC_KR_ROW)
  for (let lead = 0x81; lead <= 0xfe; lead++)
    table.fill(0, eucKrPointer(lead, 0x41), eucKrPointer(lead, lead < 0xa1 ? 0xfe : 0xa1))
  const known = new Set(table)
  let place = 0
  for (let syllable = 0xac00; syllable <= 0xd7a3; syllable++) {
    if (known.has(syllable)) continue
    while (!isForSyllables(place)) place++
    table[place++] = syllable
  }
  table[eucKrPointer(0xa2, 0xe6)] = 0x20ac
  table[eucKrPointer(0xa2, 0xe7)] = 0xae
  return table
}

function isForSyllables(place: number): boolean {
  const lead = Math.floor(place / EUC_KR_ROW) + 0x81
  const trail = (place % EUC_KR_ROW) + 0x41
  const isLetter = (trail >= 0x41 && trail <= 0x5a) || (trail >= 0x61 && trail <= 0x7a)
  return isLetter || (trail >= 0x81 && trail <= (lead <= 0xa0 ? 0xfe : 0xa0))
}

/** All that the platform's decoder knows. */
function platformTable(encoding: string, pointer: DoubleByte['pointer'], size: number): Uint32Array {
  const table = new Uint32Array(size)
  const decoder = new TextDecoder(encoding)
  for (let lead = 0xa1; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const place = pointer(lead, trail)
      const text = place < 0 ? '' : decoder.decode(Uint8Array.of(lead, trail))
      const code = text.codePointAt(0) ?? 0
      const isOne = text.length === (code > 0xffff ? 2 : 1) && code !== REPLACEMENT
      if (isOne) table[place] = code
    }
  return table
}
