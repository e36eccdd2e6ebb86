import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { redirectTarget } from './redirects.ts'

const target = (location: string, status = 301) =>
  redirectTarget(status, [['LOCATION', location]], 'https://site.test/a/b?c=d')

test('a target is made absolute against the URL that was asked for', () => {
  assert.equal(target('https://other.test/x'), 'https://other.test/x')
  assert.equal(target('//other.test/x'), 'https://other.test/x')
  assert.equal(target('/x?y'), 'https://site.test/x?y')
  assert.equal(target('x'), 'https://site.test/a/x')
  assert.equal(target('?page=2'), 'https://site.test/a/b?page=2')
  assert.equal(target('  /x  '), 'https://site.test/x')
})

test('the fragment is dropped', () => {
  assert.equal(target('/x#part'), 'https://site.test/x')
  assert.equal(target('#part'), 'https://site.test/a/b?c=d')
})

test('a target in raw UTF-8 is read as such, one in Latin-1 too', () => {
  assert.equal(target(Buffer.from('/straße').toString('latin1')), 'https://site.test/stra%C3%9Fe')
  assert.equal(target('/stra\xdfe'), 'https://site.test/stra%C3%9Fe')
})

test('other schemes are answered, for the caller to refuse', () => {
  assert.equal(target('mailto:a@b.test'), 'mailto:a@b.test')
  assert.equal(target('javascript:void 0'), 'javascript:void 0')
})

test('only redirecting statuses with a readable target lead anywhere', () => {
  for (const status of [200, 201, 304, 305, 404, 503]) assert.equal(target('/x', status), undefined)
  for (const status of [300, 301, 302, 303, 307, 308]) assert.equal(target('/x', status), 'https://site.test/x')
  for (const location of ['', '  ', 'http://', 'http://[', 'https://a b/']) assert.equal(target(location), undefined)
  assert.equal(redirectTarget(301, [], 'https://site.test/'), undefined)
})

test('hostile targets never throw', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (location) => void target(location)))
})
