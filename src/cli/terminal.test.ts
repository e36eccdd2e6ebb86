import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harmless, table, wrapped } from './terminal.ts'

test('on a terminal nothing but colours of our own gets through; to a file all goes as it is', () => {
  const text = 'a\u001b[1mbold\u001b[22m \u001b]0;title\u0007 \u009b31m\tb\n'
  assert.equal(harmless(text, { isTTY: true }), 'a\u001b[1mbold\u001b[22m \ufffd]0;title\ufffd \ufffd31m\tb\n')
  assert.equal(harmless(text, {}), text)
})

test('text is wrapped between words, by what is seen', () => {
  const text = 'the \u001b[33mlast\u001b[39m keeper locked the door'
  assert.deepEqual(wrapped(text, 18, '  '), ['  the \u001b[33mlast\u001b[39m keeper', '  locked the door'])
  assert.deepEqual(wrapped('averyveryverylongword next', 10, ''), ['averyveryverylongword', 'next'])
})

test('columns are aligned by what is seen, numbers to the right', () => {
  assert.deepEqual(
    table([
      ['a\u001b[1mb\u001b[22m', 5, 'x'],
      ['abc', 1234, ''],
    ]),
    ['a\u001b[1mb\u001b[22m       5  x', 'abc  1,234'],
  )
})
