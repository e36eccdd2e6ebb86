import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, indexedText, pairsOf, runsOf, unitsOf, wordsOf } from './words.ts'

test('words are folded: case, accents, ligatures and width', () => {
  assert.deepEqual(wordsOf('Ångström, ŒUVRE ﬁn İstanbul Ｗｅｂ'), ['angstrom', 'œuvre', 'fin', 'istanbul', 'web'])
  assert.equal(fold('서울'), '서울')
})

test('marks that make another letter in their script are kept', () => {
  assert.deepEqual(wordsOf('हिन्दी'), ['हिन्दी'])
})

test('a run of a script without spaces is indexed as pairs and its last character', () => {
  assert.deepEqual(pairsOf('東京都'), ['東京', '京都', '都'])
  assert.deepEqual(pairsOf('𠮷野'), ['𠮷野', '野'])
  assert.equal(indexedText('in 東京, ok').replace(/ +/g, ' '), 'in 東京 京 , ok')
})

test('beyond ASCII the index is given nothing but folded words', () => {
  assert.equal(indexedText('“Silk”—WEB…').replace(/ +/g, ' '), ' Silk WEB...')
  assert.equal(indexedText('ΟΔΟΣ Ærø ½'), 'οδοσ ærø 1 2')
  assert.equal(indexedText('a\ud800b'), 'a b')
})

test('the index is given the words that a query for the same text would ask for', () => {
  const letters = fc.constantFrom(
    ...'aZ9é\u0301ŒßΣς—“İﬁ½ÅЁй\u05b0שहि\u0338<\ud83d\ude00\ue000_東京・ｶﾞか\u3099㍿ㄱ각กำ𠮷',
  )
  const text = fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'binary', maxLength: 40 }))
  const spaced = (words: string) => words.toLowerCase().match(/[^\0-\x2f\x3a-\x60\x7b-\x7f]+/g) ?? []
  const asked = (typed: string) =>
    wordsOf(typed).flatMap((word) => runsOf(word).flatMap((run) => (run.spaceless ? pairsOf(run.text) : [run.text])))
  fc.assert(fc.property(text, (typed) => assert.deepEqual(spaced(indexedText(typed)), asked(typed))))
})

test('a word is split where such a script begins and ends', () => {
  assert.deepEqual(runsOf('python入門x'), [
    { text: 'python', spaceless: false },
    { text: '入門', spaceless: true },
    { text: 'x', spaceless: false },
  ])
})

test('units tell where in the text they stand', () => {
  assert.deepEqual(
    [...unitsOf('Ab 東京')],
    [
      { folded: 'ab', start: 0, end: 2 },
      { folded: '東', start: 3, end: 4 },
      { folded: '京', start: 4, end: 5 },
    ],
  )
})
