import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenizer } from './tokens.ts'

const tokenizer = createTokenizer()

function hashesOf(text: string): number[] {
  const { count, hashes } = tokenizer.read(text)
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

test('line breaks begin a block', () => {
  const { count, startsBlock } = tokenizer.read('one two\n\nthree\n入門')
  assert.deepEqual([...startsBlock.subarray(0, count)], [1, 0, 1, 1, 0])
})

test('a text of any length is read whole', () => {
  assert.equal(hashesOf('word '.repeat(100_000)).length, 100_000)
  assert.equal(hashesOf('入'.repeat(100_000)).length, 100_000)
})
