import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../url/keys.ts'
import { Mirrors } from './mirrors.ts'

const at = (host: string, page: number | string) => `https://${host}/${page}` as CanonicalUrl

function sawCopies(mirrors: Mirrors, from: number, to: number, host = 'copy.test', original = 'first.test') {
  for (let page = from; page < to; page++) mirrors.saw(at(host, page), at(original, page))
}

test('an origin whose pages are those of another, at the same places, is its mirror once there are enough', () => {
  const mirrors = new Mirrors(10)
  sawCopies(mirrors, 0, 9)
  assert.equal(mirrors.mirroredBy(at('copy.test', 'x')), undefined)
  sawCopies(mirrors, 9, 10)
  assert.equal(mirrors.mirroredBy(at('copy.test', 'x')), 'https://first.test')
  assert.equal(mirrors.mirroredBy(at('first.test', 'x')), undefined)
})

test('copies at other places, on the same origin, or of several others make no mirror', () => {
  const mirrors = new Mirrors(10)
  for (let page = 0; page < 50; page++) {
    mirrors.saw(at('moved.test', page), at('first.test', page + 1))
    mirrors.saw(at('own.test', page), at('own.test', page + 1000))
    mirrors.saw(at('press.test', page), at(`agency-${page % 3}.test`, page))
  }
  for (const host of ['moved.test', 'own.test', 'press.test'])
    assert.equal(mirrors.mirroredBy(at(host, 'x')), undefined, host)
})

test('an origin with much of its own is none, however many copies it has', () => {
  const mirrors = new Mirrors(10)
  for (let page = 0; page < 400; page++)
    mirrors.saw(at('copy.test', page), page % 5 === 0 ? null : at('first.test', page))
  assert.equal(mirrors.mirroredBy(at('copy.test', 'x')), undefined)
})

test('of two that are visited side by side one is the mirror, never both', () => {
  const mirrors = new Mirrors(10)
  for (let page = 0; page < 60; page++) {
    const [first, second] = page % 2 === 0 ? ['a.test', 'b.test'] : ['b.test', 'a.test']
    mirrors.saw(at(first!, page), null)
    mirrors.saw(at(second!, page), at(first!, page))
  }
  const found = ['a.test', 'b.test'].filter((host) => mirrors.mirroredBy(at(host, 'x')) !== undefined)
  assert.equal(found.length, 1)
})

test('nothing is a mirror where that is not wanted', () => {
  const mirrors = new Mirrors(0)
  sawCopies(mirrors, 0, 500)
  assert.equal(mirrors.mirroredBy(at('copy.test', 'x')), undefined)
})
