import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { simhash } from '../../dedup/simhash.ts'
import { simhashInWasm } from './wasm-simhash.ts'

const words =
  'the of Lighthouse 1874 keeper’s lamp, ÉTÉ straße Ωmega Привет мир 日本語 ไทย 한국어 \u{20000} İ ŉ x-ray'.split(' ')
const prose = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 300 })
  .chain((parts) => fc.constantFrom(' ', '\n', ' - ', '').map((gap) => parts.join(gap)))
const lines = fc.array(prose, { maxLength: 5 }).map((blocks) => blocks.join('\n'))

test('the SimHash of any text is that of the TypeScript one, bit for bit', () => {
  fc.assert(
    fc.property(lines, (text) => assert.equal(simhashInWasm(text), simhash(text))),
    { numRuns: 1500 },
  )
})

test('every code unit counts as it does there, also half a character', () => {
  for (let from = 0; from < 0x10000; from += 256) {
    const codes = Array.from({ length: 256 }, (_, i) => from + i)
    const text = codes.map((code) => `a${String.fromCharCode(code)}b`).join(' ')
    assert.equal(simhashInWasm(text), simhash(text), `from ${from.toString(16)}`)
  }
})

test('texts that are short, empty, or grow the memory', () => {
  for (const text of ['', 'too short', 'word '.repeat(200_000), 'one two three four\n'.repeat(20_000)])
    assert.equal(simhashInWasm(text), simhash(text))
})

test('a text too long for its memory is left to TypeScript', () => {
  assert.equal(simhashInWasm('word '.repeat(500_000)), undefined)
})
