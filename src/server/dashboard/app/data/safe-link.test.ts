import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeHref } from './safe-link.ts'

test('only http and https lead anywhere', () => {
  const hostile = [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:http://a/b',
  ]
  for (const url of hostile) assert.equal(safeHref(url), undefined, url)
  assert.equal(safeHref('HTTPS://Example.com/a b'), 'https://example.com/a%20b')
})

test('what is no URL leads nowhere', () => {
  for (const text of ['', '/path', 'http://', '//host/x']) assert.equal(safeHref(text), undefined, text)
})
