import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CanonicalUrl,
  hostKeyOf,
  hostnameOf,
  loadFingerprint,
  originOf,
  pathOf,
  registrableDomain,
} from './keys.ts'

const url = (text: string) => text as CanonicalUrl

test('host, origin and path are those of the URL standard', () => {
  for (const text of [
    'http://a.b/',
    'https://a.b:81/x?y=http://z/',
    'http://[::1]:8080/p',
    'https://[::1]/',
    'http://c/',
  ]) {
    const standard = new URL(text)
    assert.equal(hostKeyOf(url(text), 'host'), standard.host)
    assert.equal(hostnameOf(url(text)), standard.hostname)
    assert.equal(originOf(url(text)), standard.origin)
    assert.equal(pathOf(url(text)), standard.pathname + standard.search)
  }
})

test('hosts of one registrable domain can share a key', () => {
  assert.equal(hostKeyOf(url('http://a.shop.co.uk:81/'), 'domain'), 'shop.co.uk')
  assert.equal(hostKeyOf(url('http://shop.co.uk/'), 'domain'), 'shop.co.uk')
})

test('what has no registrable domain is its own key', () => {
  assert.equal(hostKeyOf(url('http://127.0.0.1:81/'), 'domain'), '127.0.0.1')
  assert.equal(hostKeyOf(url('http://[::1]/'), 'domain'), '[::1]')
  assert.equal(hostKeyOf(url('http://localhost/'), 'domain'), 'localhost')
  assert.equal(hostKeyOf(url('http://co.uk/'), 'domain'), 'co.uk')
})

test('whether a private suffix parts domains can be chosen', () => {
  assert.equal(registrableDomain('me.github.io'), 'me.github.io')
  assert.equal(registrableDomain('me.github.io', false), 'github.io')
  assert.equal(registrableDomain('me.github.io'), 'me.github.io')
})

test('a fingerprint is a safe integer, the same for the same text, spread over 53 bits', async () => {
  const fingerprint = await loadFingerprint()
  const again = await loadFingerprint()
  let union = 0
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = fingerprint(text)
      assert.ok(Number.isSafeInteger(value) && value >= 0)
      assert.equal(again(text), value)
      union = Math.max(union, value)
    }),
  )
  assert.ok(union > 2 ** 51)
  const many = new Set(Array.from({ length: 100_000 }, (_, index) => fingerprint(`https://example.com/${index}`)))
  assert.equal(many.size, 100_000)
})

test('stored fingerprints stay valid: they are xxHash64 without its 11 highest bits', async () => {
  const fingerprint = await loadFingerprint()
  // xxHash64 of the empty text is ef46db3751d8e999.
  assert.equal(fingerprint(''), Number(BigInt.asUintN(53, 0xef46db3751d8e999n)))
})
