import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { simhash } from '../../dedup/simhash.ts'
import { parseConfig } from '../config.ts'
import { readHtml } from '../html.ts'
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

test('every code unit counts as it does there', () => {
  for (let from = 0; from < 0x10000; from += 256) {
    if (from >= 0xd800 && from < 0xe000) continue
    const codes = Array.from({ length: 256 }, (_, i) => from + i)
    const text = codes.map((code) => `a${String.fromCharCode(code)}b`).join(' ')
    assert.equal(simhashInWasm(text), simhash(text), `from ${from.toString(16)}`)
  }
})

test('texts that are short, empty, or grow the memory', () => {
  for (const text of ['', 'too short', 'word '.repeat(200_000), 'one two three four\n'.repeat(20_000)])
    assert.equal(simhashInWasm(text), simhash(text))
})

test('letters beyond ASCII stand anywhere among 64 bytes, and words across their border', () => {
  for (let before = 0; before < 140; before++)
    for (const letter of ['é', '’', '語', '\u{20000}', 'x'.repeat(90), '\n', 'É9\n'])
      for (const rest of ['', 'y', ' and then some words follow it\n'.repeat(5)]) {
        const text = `${'one two three four five six\n'.repeat(10)}${'x'.repeat(before)}${letter}${rest}`
        assert.equal(simhashInWasm(text), simhash(text), JSON.stringify(text))
      }
})

test('the text of the page that was read last is found where it lies, also when it has grown out of its document', () => {
  const words = 'Lighthouse keeper’s ÉTÉ 日本語 \u{20000} 1874 &amp; &nbsp; lamp &nGt; '
  for (const markup of [`<p>${words}</p>\n`, `${words}<br>`]) {
    const html = Buffer.from(markup.repeat(30))
    const { text } = readHtml(html, { config: parseConfig.parse({}), allLinks: false, withText: true })
    const answer = simhash(text.toString())
    assert.equal(simhashInWasm(text), answer)
    assert.equal(simhashInWasm(`${text} more`), simhash(`${text} more`))
    assert.equal(simhashInWasm(text), answer)
  }
})

test('a document in broken UTF-8 has the SimHash of the text that became of it', () => {
  const html = Buffer.concat([Buffer.from('word and word '.repeat(30)), Buffer.from([0xe3, 0x81, 0x20, 0xff, 0xc3])])
  const { text } = readHtml(html, { config: parseConfig.parse({}), allLinks: false, withText: true })
  assert.equal(simhashInWasm(text), simhash(text.toString()))
})

test('half a character is left to TypeScript', () => {
  for (const text of ['word '.repeat(100), 'voilà '.repeat(100)])
    assert.equal(simhashInWasm(`${text}\ud800`), undefined)
})

test('a text too long for its memory is left to TypeScript', () => {
  assert.equal(simhashInWasm('word '.repeat(500_000)), undefined)
})
