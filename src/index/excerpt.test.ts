import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { excerpt } from './excerpt.ts'
import { parseQuery } from './query.ts'

const FILLER = 'Nothing of interest stands here at all. '.repeat(50)

function excerptOf(text: string, query: string, description = ''): string {
  return excerpt({ text, description }, parseQuery(query))
}

describe('excerpt', () => {
  test('marks every match, whatever its case and accents', () => {
    assert.equal(
      excerptOf('A Café, a CAFE and a café.', 'cafe'),
      'A \u0002Café\u0003, a \u0002CAFE\u0003 and a \u0002café\u0003.',
    )
  })

  test('marks words that begin with another letter before they are folded', () => {
    assert.equal(
      excerptOf('ＷＥＢ of Éric, 300 \u212a', 'web eric k'),
      '\u0002ＷＥＢ\u0003 of \u0002Éric\u0003, 300 \u0002\u212a\u0003',
    )
  })

  test('shows the part of a long text where the match is, cut at whole words', () => {
    const shown = excerptOf(`${FILLER}The orb weaver spins. ${FILLER}`, 'weaver')
    assert.match(shown, /^….* \u0002weaver\u0003 spins\. .*…$/)
    assert.ok(shown.length < 260)
    for (const word of shown.replace(/[…\u0002\u0003.]/g, '').split(' '))
      assert.ok(`${FILLER}The orb weaver spins`.includes(word))
    assert.match(shown, /^…(Nothing|of|interest|stands|here|at|all\.) /)
  })

  test('prefers the part that shows more of the different words', () => {
    const shown = excerptOf(`silk silk silk ${FILLER} silk of a spider ${FILLER}`, 'silk spider')
    assert.match(shown, /\u0002silk\u0003 of a \u0002spider\u0003/)
  })

  test('marks a phrase as one, and its words elsewhere not at all', () => {
    assert.equal(excerptOf('of the web: the web of silk', '"web of"'), 'of the web: the \u0002web of\u0003 silk')
  })

  test('marks words that begin with a prefix', () => {
    assert.equal(excerptOf('crawl crawling scrawl', 'crawl*'), '\u0002crawl\u0003 \u0002crawling\u0003 scrawl')
  })

  test('marks part of a run in a script without spaces', () => {
    assert.equal(excerptOf('東京都庁とPython入門', '京都'), '東\u0002京都\u0003庁とPython入門')
    assert.equal(excerptOf('東京都庁とPython入門', 'python入門'), '東京都庁と\u0002Python入門\u0003')
  })

  test('falls back on the description, then on how the text begins', () => {
    assert.equal(excerptOf('Only text.', 'orb', 'About an orb.'), 'About an \u0002orb\u0003.')
    assert.equal(excerptOf('Only text.', 'absent'), 'Only text.')
    assert.equal(excerptOf('', 'absent'), '')
  })

  test('is one line, and a page cannot forge a mark', () => {
    assert.equal(excerptOf('a\u0002b\u0003\n\n\tc\0 word', 'word'), 'a b c \u0002word\u0003')
  })

  test('of any text and query it is short, well formed, and has its marks in pairs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 800 }), fc.string({ maxLength: 20 }), (text, query) => {
        const shown = excerptOf(text, `${query} ${text.slice(5, 9)}`)
        assert.ok(shown.isWellFormed() && shown.length <= 2000)
        assert.equal(shown.replace(/\u0002[^\u0002\u0003]+\u0003/g, '').search(/[\u0002\u0003]/), -1)
      }),
    )
  })

  test('each word is folded once, also where a long phrase nearly stands everywhere', (t) => {
    const folding = t.mock.method(String.prototype, 'toLowerCase')
    const text = 't '.repeat(1000)
    const phrase = `"${'t '.repeat(300)}x"`
    assert.ok(!excerptOf(text, phrase).includes('\u0002'))
    assert.ok(excerptOf(`${text}x`, phrase).includes('t x\u0003'))
    assert.ok(folding.mock.callCount() < 4000, `${folding.mock.callCount()} words`)
  })

  test('a megabyte of matches costs no more than its limits', () => {
    const shown = excerptOf('word '.repeat(200_000), 'word absent')
    assert.ok(shown.length < 500)
  })
})
