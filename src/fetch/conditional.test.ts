import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionalHeaders, validatorsOf } from './conditional.ts'

const date = 'Sun, 06 Nov 1994 08:49:37 GMT'

test('what a server gave is what it is asked with', () => {
  for (const etag of ['"abc"', 'W/"abc"', '""', '"5f-61:gzip"'])
    assert.deepEqual(
      conditionalHeaders(
        validatorsOf([
          ['ETag', etag],
          ['last-modified', date],
        ]),
      ),
      [
        ['If-None-Match', etag],
        ['If-Modified-Since', date],
      ],
    )
})

test('a server that gave nothing is asked for the page', () => {
  assert.deepEqual(conditionalHeaders(validatorsOf([['content-type', 'text/html']])), [])
})

test('what is no validator is not sent back, whoever wrote it', () => {
  const hostile = ['abc', '"a"b"', '"a\r\nx: y"', '"ä"', `"${'a'.repeat(5000)}"`, '"a b"', '']
  for (const etag of hostile) assert.equal(validatorsOf([['etag', etag]]).etag, '', etag.slice(0, 20))
  for (const lastModified of ['yesterday', '0', `${date}\r\nx: y`, '1994-11-06'])
    assert.equal(validatorsOf([['last-modified', lastModified]]).lastModified, '')
})
