import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cdxjLine } from './cdxj.ts'
import { surtKey } from './cdxj-surt.ts'

describe('a SURT key', () => {
  /** Expected values as the Python library `surt` 0.3.1 gives them. */
  const known = {
    'http://example.com/': 'com,example)/',
    'https://www2.Example.com:443/Foo/Bar/': 'com,example)/foo/bar',
    'http://example.com:8080/a?b=2&a=1&a&c=': 'com,example:8080)/a?a&a=1&b=2&c=',
    'http://example.com/a//b///c?x': 'com,example)/a/b/c?x',
    'http://example.com/%C3%A9t%C3%A9?q=%20a%20b&Z=1': 'com,example)/%c3%a9t%c3%a9?q=%20a%20b&z=1',
    'http://127.0.0.1:8000/x': '1,0,0,127:8000)/x',
    'http://[::1]:8080/x': '::1:8080)/x',
    'http://example.com/foo?jsessionid=0123456789abcdef0123456789abcdef&b=1': 'com,example)/foo?b=1',
    'http://example.com/a?': 'com,example)/a',
    'http://user:pw@example.com/': 'com,example)/',
    'http://sub.www.example.com/www.': 'com,example,www,sub)/www.',
  }
  for (const [url, key] of Object.entries(known)) it(`of ${url} is ${key}`, () => assert.equal(surtKey(url), key))

  it('never holds a space or a line break, and never throws', () => {
    for (const url of [
      '',
      ' ',
      'no url',
      'http://',
      'mailto:a b',
      'http://e.x/\u2028 \n',
      `http://e.x/${'%25'.repeat(5000)}`,
    ]) {
      assert.doesNotMatch(surtKey(url), /[\s]/)
      assert.notEqual(surtKey(url), '')
    }
  })
})

describe('a CDXJ line', () => {
  it('has key, time to the second and what replay needs, numbers as strings', () => {
    const line = cdxjLine({
      url: 'http://www.example.com/A',
      date: '2025-01-31T12:30:15.250Z',
      mime: 'text/html',
      status: 200,
      digest: 'sha256:ab',
      length: 12,
      offset: 34,
      filename: 'x.warc.gz',
    })
    assert.equal(
      line,
      'com,example)/a 20250131123015 {"url":"http://www.example.com/A","mime":"text/html","status":"200","digest":"sha256:ab","length":"12","offset":"34","filename":"x.warc.gz"}',
    )
  })

  it('stays one line for hostile values', () => {
    const line = cdxjLine({
      url: 'x\ny',
      date: '',
      mime: 'a\nb"',
      status: 0,
      digest: '',
      length: 0,
      offset: 0,
      filename: '\n',
    })
    assert.ok(!line.includes('\n'))
  })
})
