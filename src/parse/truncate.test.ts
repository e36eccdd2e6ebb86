import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collapse, truncate } from './truncate.ts'

test('a text is cut between characters', () => {
  assert.equal(truncate('a😀b', 2), 'a')
  assert.equal(truncate('a😀b', 3), 'a😀')
  assert.equal(truncate('abc', 3), 'abc')
  assert.equal(truncate('abc', 0), '')
})

test('a cut text is well-formed, no longer than asked for, and how the text begins', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, maxChars) => {
      const cut = truncate(text, maxChars)
      assert.ok(cut.isWellFormed() && cut.length <= maxChars && text.startsWith(cut))
    }),
  )
})

test('white space collapses', () => {
  assert.equal(collapse(' \n a\t\u00a0b '), 'a b')
})

test('white space collapses as if every run of it were replaced', () => {
  const piece = fc.constantFrom(' ', '  ', '\n', '\t', '\u00a0', '\u3000', '\ufeff', 'a', 'é', '')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      assert.equal(collapse(text), text.replace(/\s+/g, ' ').trim())
    }),
  )
})
