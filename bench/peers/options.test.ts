import assert from 'node:assert/strict'
import { test } from 'node:test'
import { built } from './build.ts'
import { readPeersOptions } from './options.ts'
import { peers } from './peers.ts'

test('what is not said has defaults, and the small site is never the larger one', () => {
  assert.deepEqual(readPeersOptions([]), {
    pages: 20_000,
    slowPages: 1000,
    rounds: 3,
    only: [],
    corpus: undefined,
    json: undefined,
    markdown: undefined,
  })
  assert.equal(readPeersOptions(['--pages', '200']).slowPages, 200)
  assert.deepEqual(readPeersOptions(['--only', 'spider,colly']).only, ['spider', 'colly'])
})

test('numbers that are none are refused by name, and so is what nobody knows', () => {
  for (const text of ['0', '-1', '1.5', 'many', ''])
    assert.throws(() => readPeersOptions([`--rounds=${text}`]), /--rounds takes a number above 0/)
  assert.throws(() => readPeersOptions(['--fast']), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' })
})

test('a peer whose tools are not there is skipped with the reason', () => {
  assert.deepEqual(built(undefined, ['no-such-tool-chain']), { skipped: 'no-such-tool-chain is not installed' })
})

test('every crawler says what it does, what it does not and how it was set', () => {
  assert.equal(new Set(peers.map(({ name }) => name)).size, peers.length)
  for (const { does, doesNot, setting } of peers) for (const text of [does, doesNot, setting]) assert.notEqual(text, '')
})
