import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { numbersIn, wordsIn } from '../test-numbers.ts'
import { WordTable } from '../word-table.ts'
import { loadWordTable } from './wasm-word-table.ts'

const newTable = loadWordTable()!

/** That both ways find the same words in texts, one after another. */
function alike(texts: readonly string[]): void {
  const [plain, compiled] = [new WordTable(1), newTable(1)]
  for (const text of texts) assert.deepEqual(numbersIn(compiled, text), numbersIn(plain, text), JSON.stringify(text))
  assert.deepEqual(wordsIn(compiled), wordsIn(plain))
}

const nasty = [
  ...['One', 'naïve', 'ÉTÉ', 'straße', 'ΣΊΣΥΦΟΣ', 'İ', 'ŉ', 'ﬁ', '½', '㏂', '\ufdfa', 'e\u0301', '\u0301', '\u093f'],
  ...['日本語', '京', 'ไทย', '한국어', '\u1112\u1161', 'हिन्दी', 'வணக்கம்', 'العربية', 'שָׁלוֹם', 'ｶﾞ', '々', '\u2f00'],
  ...['😀', '👩‍👩‍👧', '\u{20000}\u{20001}', '\ud83d', '\ude00', '\ufffd', '\ufeff', '\0', '\u00a0', '\u200b', '’', '_'],
]
const part = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 4 }), fc.string())
const text = fc
  .array(part, { maxLength: 100 })
  .chain((parts) => fc.constantFrom(' ', '', '-', 'a', 'x'.repeat(70)).map((gap) => parts.join(gap)))

test('any text has the words that the TypeScript one finds', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => alike(texts)),
    { numRuns: 500 },
  )
})

test('every UTF-16 unit is taken as it is there, alone, within a word and beside others', () => {
  for (let from = 0; from < 0x10000; from += 256) {
    const units = Array.from({ length: 256 }, (_, i) => String.fromCharCode(from + i))
    alike([units.map((unit) => `${unit} a${unit}b`).join(' '), units.map((unit) => `京${unit}é`).join(' ')])
  }
})

test('a word is found wherever it stands among 64 bytes, and across their borders', () => {
  const words = ['a', 'é', '’', '語', 'दी', '\u{20000}', 'y'.repeat(64), 'z'.repeat(300), 'é'.repeat(200)]
  for (let before = 0; before < 140; before++)
    alike(
      words.flatMap((word) => [
        `${'x'.repeat(before)} ${word}`,
        `${' '.repeat(before)}${word} ${word}x`,
        `${'x'.repeat(before)}${word}`,
      ]),
    )
})

test('long runs are read that only the whole of them explains', () => {
  const runs = ['한국어'.repeat(3000), `${'語'.repeat(5000)}😀`, 'हिन्दी '.repeat(500), '\ufdfa'.repeat(2000)]
  alike([...runs, '😀'.repeat(9000), '\u093f'.repeat(9000), `a${'é'.repeat(9000)}b`])
})

test('a mark of byte order parts words wherever it stands', () => {
  alike(['\ufeffa', 'a\ufeffb', 'a\ufeffहिन्दी', '\ufeff日本', 'é\ufeff'])
})

test('bytes that are no text end all the same', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(bytes, (bytes) => {
      const numbers = newTable(1).numbersOf(Uint8Array.of(...bytes, 0), bytes.length)
      assert.ok(numbers.length <= 2 * bytes.length + 2)
    }),
    { numRuns: 500 },
  )
})
