import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beginningOf, byteLengthOf, giveBackText, isLongerThan, type PageText, textOf } from './page-text.ts'

const anyText = fc
  .array(fc.constantFrom('a', ' ', '\n', 'é', '日', '\u{20000}', 'word '), { maxLength: 60 })
  .map((parts) => parts.join('').repeat(30))

function inBytes(text: string): PageText {
  const bytes = Buffer.from(`<${text}>`)
  return textOf(bytes, 1, bytes.length - 1)
}

test('a text is the same as bytes and as a string: whole, its beginning, and its length', () => {
  fc.assert(
    fc.property(anyText, fc.nat(3000), (text, chars) => {
      const other = inBytes(text)
      assert.equal(other.toString(), text)
      assert.equal(beginningOf(other, chars).slice(0, chars), text.slice(0, chars))
      assert.equal(byteLengthOf(other), byteLengthOf(text))
      assert.equal(isLongerThan(other, chars), text.length > chars)
      assert.ok(text.startsWith(beginningOf(other, chars)))
    }),
  )
})

test('short texts are strings, long ones bytes of their own', () => {
  assert.equal(inBytes(''), '')
  assert.equal(inBytes('short'), 'short')
  const source = Buffer.from('x'.repeat(5000))
  const text = textOf(source, 0, source.length)
  source.fill('y')
  assert.notEqual(typeof text, 'string')
  assert.equal(text.toString(), 'x'.repeat(5000))
})

test('memory of a text that was given back holds the next one', () => {
  const first = inBytes('a'.repeat(20_000))
  assert.ok(typeof first !== 'string')
  giveBackText(first)
  giveBackText('a string has nothing to give back')
  const second = inBytes('b'.repeat(20_000))
  assert.ok(typeof second !== 'string')
  assert.equal(second.bytes.buffer, first.bytes.buffer)
})
