import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { toUtf8 } from './charset.ts'
import { NASTY, NASTY_PIECES } from './nasty-markup.fixture.ts'
import { compare, none, oracle, ours, precision, recall } from './oracle.fixture.ts'

/** The fast pass against the tree of the HTML standard. Where they must differ, a test says how. */

for (const source of NASTY)
  test(`reads as the standard does: ${JSON.stringify(source).slice(0, 90)}`, () => {
    const expected = oracle(source)
    const found = ours(source)
    assert.deepEqual(found.links.toSorted(), [...expected.links].sort())
    assert.deepEqual(found.words, expected.words)
    assert.equal(found.title, expected.title)
  })

test('differs from the tree: what stands in select is read, as in the standard of 2025', () => {
  assert.deepEqual(ours('<select><a href=/1>x</a></select>').links, ['https://example.com/1'])
})

test('differs from the tree: text of a noscript in the head is not shown', () => {
  assert.deepEqual(ours('<head><noscript>Enable JavaScript<a href=/1>x</a></noscript><p>seen').words, ['seen'])
})

test('differs from the tree: a declarative shadow root is content', () => {
  const found = ours('<div><template shadowrootmode=open><a href=/1>seen</a></template></div>')
  assert.deepEqual([found.links, found.words], [['https://example.com/1'], ['seen']])
})

test('differs from the tree: text between the cells of a table is read where it stands, not moved before the table', () => {
  const source = 'one<table>two<tr><td>three</td>four</table>'
  assert.deepEqual(ours(source).words, ['one', 'two', 'three', 'four'])
  assert.deepEqual(oracle(source).words, ['onetwofour', 'three'])
})

test('differs from the tree: a NUL is left out of all text, also in svg and plaintext', () => {
  assert.deepEqual(ours('<svg>a\0b</svg><plaintext>c\0d').words, ['ab', 'cd'])
})

const piece = fc.constantFrom(...NASTY_PIECES)
const soup = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))

test('nasty markup in random order gives the links of the tree (99 % recall and precision, 97 % of the words)', () => {
  const links = none()
  const words = none()
  fc.assert(
    fc.property(soup, (source) => {
      const expected = oracle(source)
      const found = ours(source)
      compare(links, found.links, expected.links)
      compare(words, found.words, expected.words)
    }),
    { numRuns: 2000, seed: 7 },
  )
  const figures = [recall(links), precision(links), recall(words), precision(words)]
  assert.ok(Math.min(figures[0]!, figures[1]!) >= 0.99, `links ${figures}`)
  assert.ok(Math.min(figures[2]!, figures[3]!) >= 0.97, `words ${figures}`)
})

const corpus = new URL('../../../shared/corpus/pages/', import.meta.url)
const skip = existsSync(corpus) ? false : 'the corpus of real pages is not on this machine'

test('real pages give the links and words of the tree (99.9 % of both, each way)', { skip }, (context) => {
  const links = none()
  const words = none()
  for (const name of readdirSync(corpus)) {
    const body = gunzipSync(readFileSync(new URL(name, corpus)))
    const expected = oracle(toUtf8(body, 'text/html').bytes.toString())
    const found = ours(body)
    compare(links, found.links, expected.links)
    compare(words, found.words, expected.words)
  }
  context.diagnostic(`links: recall ${recall(links)}, precision ${precision(links)} of ${links.expected}`)
  context.diagnostic(`words: recall ${recall(words)}, precision ${precision(words)} of ${words.expected}`)
  for (const total of [links, words]) assert.ok(Math.min(recall(total), precision(total)) >= 0.999)
})
