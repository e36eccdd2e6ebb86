import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchConfig } from '../config.ts'
import { headersOnTheWire, standingHeaders, userAgent, withHeaders } from './request-headers.ts'

test('the user agent names us and where we can be reached', () => {
  const config = fetchConfig.parse({ contact: 'https://example.org/bot' })
  assert.equal(userAgent(config), 'orbweaver/0.1 (+https://example.org/bot)')
  assert.equal(userAgent({ ...config, userAgent: 'mine/2' }), 'mine/2')
  assert.match(userAgent(fetchConfig.parse({})), /^orbweaver\/[\d.]+ \(\+https:\/\//)
})

test('a header asked for replaces the standing one, in whatever case', () => {
  const standing = standingHeaders(fetchConfig.parse({}))
  assert.equal(withHeaders(standing, undefined), standing)
  const headers = withHeaders(standing, [['ACCEPT', 'text/plain']])
  assert.deepEqual(
    headers.filter(([name]) => name.toLowerCase() === 'accept'),
    [['ACCEPT', 'text/plain']],
  )
  assert.equal(headers.length, standing.length)
})

test('settings that cannot stand in a header are refused', () => {
  for (const userAgent of ['', 'a\r\nX-Evil: 1', 'ü'])
    assert.equal(fetchConfig.safeParse({ userAgent }).success, false, JSON.stringify(userAgent))
  assert.equal(fetchConfig.safeParse({ contact: 'not a url' }).success, false)
  assert.equal(fetchConfig.safeParse({ unknown: 1 }).success, false)
})

test('HTTP/2 has no connection header', () => {
  assert.deepEqual(headersOnTheWire('a.test', 'h2', []), [['host', 'a.test']])
})
