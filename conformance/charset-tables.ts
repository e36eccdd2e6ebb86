import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from '../src/parse/decode.ts'
import { labelOf } from '../src/parse/encodings.ts'
import { type Suite, Tally } from './suite.ts'

type Index = readonly (number | null)[]

interface EncodingNames {
  readonly encodings: readonly { readonly name: string; readonly labels: readonly string[] }[]
}

const WITHDRAWN = 'compatibility points of Hong Kong that were withdrawn; their characters have other places in Big5'

/** Every label, and every character of every legacy encoding, by the tables of the encoding standard. */
export const encodingTables: Suite = {
  title: 'Charsets: labels and tables of the encoding standard',
  subject: '`src/parse/encodings.ts`, `src/parse/decode.ts`',
  repository: 'whatwg/encoding',
  commit: 'a985b62a9b45c17da3e17a9f0a0b4e30c34c4a8a',
  paths: ['encodings.json', 'indexes.json'],
  run(folder) {
    const tally = new Tally()
    const read = <T>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T
    for (const { encodings } of read<EncodingNames[]>('encodings.json'))
      for (const { name, labels } of encodings)
        for (const label of labels) tally.check(labelOf(label) === name.toLowerCase(), `label ${label}`)
    const indexes = read<Record<string, Index>>('indexes.json')
    for (const [name, index] of Object.entries(indexes))
      if (index.length === 128) checkTable(tally, name, index, (pointer) => [pointer + 0x80])
    for (const [encoding, name, bytes] of TABLES) checkTable(tally, encoding, indexes[name]!, bytes)
    tally.notes.push('A case is a label, or a character of an encoding.')
    return tally
  },
}

type Bytes = (pointer: number) => readonly number[] | undefined

function checkTable(tally: Tally, encoding: string, index: Index, bytesOf: Bytes): void {
  for (const [pointer, code] of index.entries()) {
    const bytes = code === null ? undefined : bytesOf(pointer)
    if (code === null || bytes === undefined) continue
    const passes = decode(Buffer.from(bytes), encoding).toString() === String.fromCodePoint(code)
    const name = `${encoding} ${Buffer.from(bytes).toString('hex')}`
    tally.check(passes, name, encoding === 'big5' ? WITHDRAWN : undefined)
  }
}

/** Rows of so many columns, from a first byte and with a gap in the second ones, as the decoders of the standard have it. */
const rows =
  (columns: number, lead: number, trail: number, gapAt = columns, gap = 0, prefix: readonly number[] = []): Bytes =>
  (pointer) => {
    const column = pointer % columns
    const first = Math.floor(pointer / columns) + lead
    return first > 0xfe ? undefined : [...prefix, first, column + trail + (column < gapAt ? 0 : gap)]
  }

const shiftJis: Bytes = (pointer) => {
  const [row, column] = [Math.floor(pointer / 188), pointer % 188]
  return [row + (row < 0x1f ? 0x81 : 0xc1), column + (column < 0x3f ? 0x40 : 0x41)]
}

/** The escape to JIS X 0208 comes first. */
const iso2022: Bytes = (pointer) =>
  pointer < 94 * 94 ? rows(94, 0x21, 0x21, 94, 0, [0x1b, 0x24, 0x42])(pointer) : undefined

const TABLES: readonly (readonly [encoding: string, index: string, bytes: Bytes])[] = [
  ['big5', 'big5', rows(157, 0x81, 0x40, 0x3f, 0x22)],
  ['gb18030', 'gb18030', rows(190, 0x81, 0x40, 0x3f, 1)],
  ['gbk', 'gb18030', rows(190, 0x81, 0x40, 0x3f, 1)],
  ['euc-kr', 'euc-kr', rows(190, 0x81, 0x41)],
  ['euc-jp', 'jis0208', rows(94, 0xa1, 0xa1)],
  ['euc-jp', 'jis0212', rows(94, 0xa1, 0xa1, 94, 0, [0x8f])],
  ['shift_jis', 'jis0208', shiftJis],
  ['iso-2022-jp', 'jis0208', iso2022],
]
