import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SomeWords } from './some-words.ts'

const words = new SomeWords(['kpsdk', '"rt"', 'not a robot', '_cf_chl_opt', 'a human', 're human'])
const standIn = (text: string) => words.standIn(Buffer.from(text))

test('a word is found wherever it stands, in any case', () => {
  for (const text of [
    'kpsdk',
    'x KPSDK',
    'KpsdK!',
    '{"rt":',
    "I'm not a ROBOT.",
    '_CF_chl_OPT=1',
    'are human',
    'a human',
  ])
    assert.equal(standIn(text), true, text)
})

test('the ending of a word is no word, nor is one that was cut', () => {
  for (const text of ['', 'sdk', 'psdk', 'chl_opt', 'a robot', 'not  a robot', 'kpsd', ' human', 'the human'])
    assert.equal(standIn(text), false, text)
})

test('only what stands before the end is looked at', () => {
  const bytes = Buffer.from('kpsdk')
  assert.equal(words.standIn(bytes, 4), false)
  assert.equal(words.standIn(bytes, 5), true)
})

test('nothing is missed that a search for each word would find', () => {
  const parts = ['kpsdk', '"rt"', 'not a robot', 're hum', 'an', ' ', 'k', 'ps', 'dk', '\u00e9', '_cf_chl', '_opt', 'a']
  let seed = 1
  const next = (below: number) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below
  const each = ['kpsdk', '"rt"', 'not a robot', '_cf_chl_opt', 'a human', 're human']
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: next(8) }, () => parts[next(parts.length)]).join('')
    assert.equal(
      standIn(text),
      each.some((word) => text.includes(word)),
      text,
    )
  }
})
