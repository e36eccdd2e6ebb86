import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stretchesOf } from './excerpt.ts'

test('matches are told from the text around them', () => {
  assert.deepEqual(stretchesOf('an \u0002orb\u0003 web'), [
    { text: 'an ', isMatch: false },
    { text: 'orb', isMatch: true },
    { text: ' web', isMatch: false },
  ])
})

test('marks without a partner break nothing', () => {
  assert.equal(
    stretchesOf('\u0003a\u0002\u0002b')
      .map(({ text }) => text)
      .join(''),
    'ab',
  )
  assert.deepEqual(stretchesOf(''), [])
})
