import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tokenizer } from './tokens.ts'

const tokenizer = new Tokenizer()

function hashesOf(text: string): number[] {
  const { count, hashes } = tokenizer.read(Buffer.from(text))
  return [...hashes.subarray(0, count)]
}

test('equal words have equal hashes wherever they stand, different words different ones', () => {
  const [first, second, third] = hashesOf('web silk web')
  assert.equal(first, third)
  assert.notEqual(first, second)
})

test('case is dropped in Latin, Greek and Cyrillic', () => {
  assert.deepEqual(hashesOf('ÜBER Straße ΑΒΓ ПАУК'), hashesOf('über straße αβγ паук'))
})

test('words are parted by spaces and punctuation of any kind, digits are all alike', () => {
  assert.deepEqual(hashesOf('a—b\u00a0c\u3000d。e'), hashesOf('a b c d e'))
  assert.deepEqual(hashesOf('page 123'), hashesOf('page 987'))
  assert.notDeepEqual(hashesOf('page 123'), hashesOf('page 1234'))
})

test('each character of a script without spaces is a word, also right after a word of another script', () => {
  assert.equal(hashesOf('Python入門').length, 3)
  assert.deepEqual(hashesOf('入門x'), [...hashesOf('入'), ...hashesOf('門'), ...hashesOf('x')])
})

test('line breaks end a block', () => {
  for (const text of ['one two\n\nthree\n入門', '\n one two \n-\nthree\n入門\n\n']) {
    const { blockCount, blockEnds } = tokenizer.read(Buffer.from(text))
    assert.deepEqual([...blockEnds.subarray(0, blockCount)], [2, 3, 5])
  }
})

test('words that differ in one letter anywhere have different hashes, whatever their length', () => {
  for (let length = 1; length < 40; length++) {
    const words = Array.from({ length }, (_, i) => `${'a'.repeat(i)}b${'a'.repeat(length - i - 1)}`)
    assert.equal(new Set(hashesOf([...words, 'a'.repeat(length)].join(' '))).size, length + 1)
  }
})

test('a text of any length is read whole', () => {
  assert.equal(hashesOf('word '.repeat(100_000)).length, 100_000)
  assert.equal(hashesOf('入'.repeat(100_000)).length, 100_000)
})
