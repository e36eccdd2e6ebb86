import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headerPlaces } from '../log-format.ts'
import type { NumberedWords } from '../numbered-words.ts'
import { WordTable } from '../word-table.ts'
import { loadWordTable } from './wasm-word-table.ts'

const newTable = loadWordTable()!
const encoder = new TextEncoder()

type Columns = readonly [string, string, string]

/** The log of some documents, turned over. */
function inverted(table: NumberedWords, documents: readonly Columns[], live?: Uint8Array) {
  const numbers: number[] = []
  for (const columns of documents) {
    const header = numbers.length
    numbers.length += headerPlaces
    for (const [i, column] of columns.entries()) {
      const bytes = encoder.encode(`${column}\0`)
      const found = table.numbersOf(bytes, bytes.length - 1)
      numbers[header + 2 * i] = found.length & 0xffff
      numbers[header + 2 * i + 1] = found.length >>> 16
      for (const number of found) numbers.push(number)
    }
  }
  const log = { numbers: Uint16Array.from(numbers), documents: documents.length, ...(live && { live }) }
  const { lengths, parts } = table.inverted(log)
  return { lengths: [...lengths], parts: Array.from(parts, (part) => Buffer.from(part).toString('latin1')) }
}

/** That both ways make the same of them, byte for byte. */
function alike(documents: readonly Columns[], live?: Uint8Array): void {
  assert.deepEqual(inverted(newTable(1), documents, live), inverted(new WordTable(1), documents, live))
}

const word = fc.oneof(
  fc.stringMatching(/^[ab]{1,3}$/),
  fc.stringMatching(/^a{7}[ab]{0,20}$/),
  fc.constantFrom('é', '東京都', 'ÿ', 'zebra', 'a'.repeat(255), `${'a'.repeat(254)}b`),
)
const column = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '))
const document = fc.tuple(column, column, column).chain((columns) => fc.boolean().map((live) => ({ columns, live })))

test('any documents become the same entries as in TypeScript, without those that are left out', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 40 }), (documents) => {
      const live = Uint8Array.from(documents, ({ live }) => Number(live))
      const columns = documents.map(({ columns }) => columns)
      alike(columns, live)
      alike(columns)
    }),
    { numRuns: 300 },
  )
})

test('many words, long ones that begin alike, and so many places that a part is full', () => {
  const many = Array.from({ length: 80_000 }, (_, i) => (i * 7919) % 99_991).join(' ')
  const long = Array.from({ length: 3000 }, (_, i) => `${'x'.repeat(i % 100)}${i % 1000}`).join(' ')
  alike([
    ['title', many, long],
    ['', '', 'the '.repeat(100_000)],
    [long, many, 'the end'],
  ])
})

test('positions beyond what one column can tell apart are left out, and counted', () => {
  alike([['', '', `first ${'a '.repeat(600_000)} last`]])
})

test('documents far apart in the log', () => {
  const documents = Array.from({ length: 2000 }, (_, i): Columns => ['', '', i % 500 === 0 ? 'rare' : 'often'])
  alike(documents)
})

test('one table after another, each in the memory of the one before', () => {
  const [compiled, plain] = [newTable(1), new WordTable(1)]
  for (const text of ['one two three', 'three two', 'x '.repeat(2_000_000), 'four']) {
    assert.deepEqual(inverted(compiled, [['', '', text]]), inverted(plain, [['', '', text]]))
    compiled.clear(2)
    plain.clear(2)
  }
})

test('no documents', () => alike([]))
