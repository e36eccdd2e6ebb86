import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyWords, wordsOf } from './words.ts'

const piece = fc.constantFrom(
  ...[
    'a',
    'B',
    'É',
    'ß',
    'İ',
    'ŉ',
    'Σ',
    'ж',
    '日',
    '😀',
    '\u0301',
    '\u02b0',
    '\u00aa',
    '\u2071',
    '\u2c60',
    'word',
    'Wort',
  ],
  ...[' ', '  ', '\n', '\u00a0', '-', "'", '`', '’', '“', '—', '1', '.', '\u2028', '\0', '\ud800'],
)

test('words read by hand are those of the regular expression', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      assert.equal(wordsOf(text, Number.POSITIVE_INFINITY), anyWords(text))
    }),
    { numRuns: 5000 },
  )
})

test('reading stops when there are enough, with words as they would be', () => {
  const text = "It's the “lighthouse” keeper’s dog, 'tis said. ".repeat(20)
  const words = wordsOf(text, 100)
  assert.ok(words.length >= 100 && words.length < 120)
  assert.ok(anyWords(text).startsWith(words))
})
