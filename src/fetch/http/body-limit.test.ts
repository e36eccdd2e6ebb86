import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Header } from '../outcome.ts'
import { bodyLimit, isPageType } from './body-limit.ts'

const config = { maxBodyBytes: 1000, maxOtherBytes: 100, maxSitemapBytes: 5000, maxMediaBytes: 10 }
const html: Header = ['Content-Type', 'text/html; charset=utf-8']

test('what may be parsed is told from what may not by its type', () => {
  for (const type of [
    undefined,
    '',
    'text/html',
    'TEXT/plain',
    'application/xhtml+xml',
    'application/rss+xml; a=b',
    'application/xml',
    'application/x-gzip',
  ])
    assert.equal(isPageType(type), true, String(type))
  for (const type of [
    'video/mp4',
    'image/png',
    'application/octet-stream',
    'application/pdf',
    'application/zip',
    'application/xmlish',
  ])
    assert.equal(isPageType(type), false, type)
})

test('a page is read up to the limit, other types up to a smaller one', () => {
  assert.deepEqual(bodyLimit(200, [html], config), { kind: 'read', maxBytes: 1000, isPage: true })
  const limitOf = (type: string) => bodyLimit(200, [['content-type', type]], config)
  assert.deepEqual(limitOf('application/zip'), { kind: 'read', maxBytes: 100, isPage: false })
  assert.deepEqual(limitOf('video/mp4'), { kind: 'read', maxBytes: 10, isPage: false })
  assert.deepEqual(limitOf('application/rss+xml'), { kind: 'read', maxBytes: 5000, isPage: true })
  assert.deepEqual(limitOf('application/xhtml+xml'), { kind: 'read', maxBytes: 1000, isPage: true })
  assert.deepEqual(bodyLimit(404, [html], config), { kind: 'read', maxBytes: 100, isPage: false })
})

test('a page that announces too much is refused, unless the caller wants only its beginning', () => {
  const headers: Header[] = [html, ['Content-Length', '1001']]
  assert.equal(bodyLimit(200, headers, config).kind, 'refuse')
  assert.deepEqual(bodyLimit(200, headers, config, 500), { kind: 'read', maxBytes: 500, isPage: true })
  assert.equal(bodyLimit(200, [html, ['Content-Length', '1000']], config).kind, 'read')
})

test('other types are cut, whatever they announce', () => {
  const headers: Header[] = [
    ['Content-Type', 'video/mp4'],
    ['Content-Length', '99999999'],
  ]
  assert.equal(bodyLimit(200, headers, config).kind, 'read')
})

test('a length that is no number announces nothing', () => {
  for (const length of ['abc', '', '-1', 'NaN'])
    assert.equal(bodyLimit(200, [html, ['Content-Length', length]], config).kind, 'read')
})
