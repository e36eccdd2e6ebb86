import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { maxWordBytes, WordTable, wideNumber } from './word-table.ts'

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

function numbersOf(table: WordTable, text: string): number[] {
  const bytes = encoder.encode(`${text}\0`)
  const numbers = new Uint16Array(bytes.length + 1)
  const end = table.number(bytes, bytes.length - 1, numbers, 0)
  const read: number[] = []
  for (let i = 0; i < end; i++)
    read.push(numbers[i]! < wideNumber ? numbers[i]! : ((numbers[i]! & 0xff) << 16) | numbers[++i]!)
  return read
}

const wordsIn = (table: WordTable) =>
  Array.from({ length: table.count }, (_, id) =>
    decoder.decode(table.bytes.subarray(table.startOf(id), table.ends[id])),
  )

describe('a table of words', () => {
  test('numbers words in order of arrival, whatever the case of their letters', () => {
    const table = new WordTable(7)
    assert.deepEqual(numbersOf(table, 'One two, ONE-three_two 4é'), [1, 2, 1, 3, 2, 4])
    assert.deepEqual(wordsIn(table), ['one', 'two', 'three', '4é'])
  })

  test('tells any words apart as a map would, also many and long ones', () => {
    const word = fc.oneof(fc.stringMatching(/^[a-c]{1,12}$/), fc.stringMatching(/^(ab|é){1,20}$/))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), fc.integer(), (words, seed) => {
        const known = new Map<string, number>()
        const expected = words.map((word) => known.get(word) ?? known.set(word, known.size + 1).size)
        const table = new WordTable(seed)
        assert.deepEqual(numbersOf(table, words.join(' ')), expected)
        assert.deepEqual(wordsIn(table), [...known.keys()])
      }),
    )
  })

  test('numbers beyond those of one place take two', () => {
    const table = new WordTable(1)
    const words = Array.from({ length: 70_000 }, (_, i) => `w${i}`)
    assert.deepEqual(
      numbersOf(table, words.join(' ')),
      words.map((_, i) => i + 1),
    )
    assert.deepEqual(numbersOf(table, 'w69999 w0'), [70_000, 1])
  })

  test('words that are too long are cut, and equal if what is left is', () => {
    const table = new WordTable(1)
    const long = 'x'.repeat(maxWordBytes)
    assert.deepEqual(numbersOf(table, `${long}a y ${long}b ${long} ${'x'.repeat(1_000_000)}`), [1, 2, 1, 1, 1])
  })

  test('words made to crowd together in the table are left out at last, and others are not', () => {
    const crowd: string[] = []
    for (let i = 0; crowd.length < 700; i++) if (slotOf(`w${i}`, 0) < 8) crowd.push(`w${i}`)
    const table = new WordTable(0)
    const numbers = numbersOf(table, `${crowd.join(' ')} other`)
    assert.equal(numbers.filter((number) => number === 0).length, crowd.length - table.count + 1)
    assert.ok(table.count > 500 && table.count < crowd.length)
    assert.deepEqual(numbersOf(table, `other ${crowd[0]} ${crowd[500]}`), [table.count, 1, 501])
  })
})

/** Where a word would best go in a table of the first size. */
function slotOf(word: string, seed: number): number {
  let hash = seed
  for (const byte of encoder.encode(word)) hash = Math.imul(hash ^ byte, 0x9e3779b1)
  return (hash ^ (hash >>> 15)) & 0x3fff
}
