import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { numbersIn, wordsIn } from './test-numbers.ts'
import { loadWordTable } from './wasm/wasm-word-table.ts'
import { factorOf, maxWordBytes, maxWords, WordTable } from './word-table.ts'

const encoder = new TextEncoder()
const ways = { TypeScript: (seed: number) => new WordTable(seed), WebAssembly: loadWordTable()! }

for (const [way, newTable] of Object.entries(ways))
  describe(`a table of words in ${way}`, () => {
    test('numbers words in order of arrival, whatever the case of their letters', () => {
      const table = newTable(7)
      assert.deepEqual(numbersIn(table, 'One two, ONE-three_two 4и'), [1, 2, 1, 3, 2, 4])
      assert.deepEqual(wordsIn(table), ['one', 'two', 'three', '4и'])
    })

    test('tells any words apart as a map would, also many and long ones', () => {
      const word = fc.oneof(fc.stringMatching(/^[a-c]{1,12}$/), fc.stringMatching(/^(ab|и){1,20}$/))
      fc.assert(
        fc.property(fc.array(word, { maxLength: 300 }), fc.integer(), (words, seed) => {
          const known = new Map<string, number>()
          const expected = words.map((word) => known.get(word) ?? known.set(word, known.size + 1).size)
          const table = newTable(seed)
          assert.deepEqual(numbersIn(table, words.join(' ')), expected)
          assert.deepEqual(wordsIn(table), [...known.keys()])
        }),
      )
    })

    test('numbers beyond those of one place take two', () => {
      const table = newTable(1)
      const words = Array.from({ length: 70_000 }, (_, i) => `w${i}`)
      assert.deepEqual(
        numbersIn(table, words.join(' ')),
        words.map((_, i) => i + 1),
      )
      assert.deepEqual(numbersIn(table, 'w69999 w0'), [70_000, 1])
    })

    test('words that are too long are cut, and equal if what is left is', () => {
      const table = newTable(1)
      const long = 'x'.repeat(maxWordBytes)
      assert.deepEqual(numbersIn(table, `${long}a y ${long}b ${long} ${'x'.repeat(1_000_000)}`), [1, 2, 1, 1, 1])
    })

    test('words of another table are added as they are', () => {
      const table = newTable(1)
      const words = ['one', '東京', 'и', 'x'.repeat(maxWordBytes)]
      for (const word of words) table.add(encoder.encode(word))
      assert.deepEqual(wordsIn(table), words)
      assert.deepEqual(numbersIn(table, '東京 ONE'), [2, 5, 1])
    })

    test('a table that was cleared knows nothing of before, also if it had to grow', () => {
      const table = newTable(1)
      numbersIn(table, Array.from({ length: 300_000 }, (_, i) => `${i} longer-than-eight-bytes-${i}`).join(' '))
      for (let round = 0; round < 2; round++) {
        table.clear(2)
        assert.equal(table.count, 0)
        assert.deepEqual(numbersIn(table, 'b a b'), [1, 2, 1])
        assert.deepEqual(wordsIn(table), ['b', 'a'])
      }
    })

    test('no more words are taken than one table may have, and the others keep their numbers', () => {
      const table = newTable(1)
      const numbers = numbersIn(table, Array.from({ length: maxWords + 10 }, (_, i) => i).join(' '))
      assert.equal(table.count, maxWords)
      assert.deepEqual(numbers.slice(-11), [maxWords, ...Array(10).fill(0)])
      assert.deepEqual(numbersIn(table, `0 ${maxWords - 1} ${maxWords}`), [1, maxWords, 0])
    })
  })

test('words made to crowd together in the table are left out at last, and others are not', () => {
  const crowd: string[] = []
  for (let i = 0; crowd.length < 700; i++) if (slotOf(`w${i}`, 0) < 8) crowd.push(`w${i}`)
  const table = new WordTable(0)
  const numbers = numbersIn(table, `${crowd.join(' ')} other`)
  assert.equal(numbers.filter((number) => number === 0).length, crowd.length - table.count + 1)
  assert.ok(table.count > 500 && table.count < crowd.length)
  assert.deepEqual(numbersIn(table, `other ${crowd[0]} ${crowd[500]}`), [table.count, 1, 501])
})

/** Where a word of up to eight bytes would best go in a table of the first size. */
function slotOf(word: string, seed: number): number {
  const bytes = Buffer.alloc(8)
  bytes.write(word)
  const low = Math.imul(bytes.readInt32LE(0), factorOf(seed))
  const high = Math.imul(bytes.readInt32LE(4), factorOf(factorOf(seed)))
  return (low + high) >>> (32 - 14)
}
