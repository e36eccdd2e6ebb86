import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Base } from './resolve.ts'

const MAX = 4096

function platform(reference: string, base: string): string {
  const url = URL.parse(reference, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : ''
}

const bases = [
  'https://example.com/',
  'https://example.com/dir/page?q=1#frag',
  'http://user:pass@example.com:8080/a/b/',
  'https://example.com',
]

const part = fc.constantFrom(
  ...[
    '/',
    '//',
    '..',
    '.',
    'a',
    'Z9',
    'host.test',
    'http:',
    'https:',
    'HTTPS:',
    '?',
    '#',
    '&',
    '=',
    '%2e',
    '%',
    ':',
    '@',
    '\\',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '日本',
    '"',
    "'",
    '|',
    '[',
    'xn--a',
    '--',
    '127.1',
    '0x7f',
    '-',
    '_',
    '~',
    'mailto:',
    'javascript:',
    ';',
  ],
)
const reference = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))

test('joining a reference to its base gives exactly what the URL parser gives', () => {
  fc.assert(
    fc.property(fc.constantFrom(...bases), fc.oneof(reference, fc.webUrl(), fc.string()), (base, text) => {
      assert.equal(new Base(base, MAX).resolveText(text.toWellFormed()), platform(text.toWellFormed(), base))
    }),
    { numRuns: 20_000 },
  )
})

const basePart = fc.constantFrom(
  ...[
    '/',
    '//',
    '..',
    '.',
    'a',
    'host',
    '.test',
    ':80',
    ':443',
    ':8080',
    ':65535',
    ':99999',
    ':0',
    ':08',
    '?',
    '#',
    '%2e',
    '%',
  ],
  ...[
    'xn--a',
    'xn--',
    '-',
    '--',
    '_',
    '~',
    '127.0.0.1',
    '127.1',
    '256.1.1.1',
    '01.2.3.4',
    '0x7f',
    'A',
    'é',
    "'",
    '|',
    '@',
    ' ',
  ],
)
const base = fc
  .tuple(fc.constantFrom('http://', 'https://', 'http:/', 'HTTP://', ''), fc.array(basePart, { maxLength: 7 }))
  .map(([scheme, parts]) => scheme + parts.join(''))

test('so it does for any base, plain or not', () => {
  const references = ['', '/x', 'y/z', '?q=1', '#f', '//other.test/', '..', 'https://h.test/']
  fc.assert(
    fc.property(fc.oneof(base, fc.webUrl({ withQueryParameters: true })), (url) => {
      for (const text of references)
        assert.equal(new Base(url, MAX).resolveText(text), platform(text, url), `${url} ${text}`)
    }),
    { numRuns: 20_000 },
  )
  for (const url of [
    'http://a.test:80/',
    'https://a.test:443/b',
    'http://a.xn--p1ai/',
    'http://a.test/b/../c/d',
    'http://1.2.3/',
  ])
    for (const text of references)
      assert.equal(new Base(url, MAX).resolveText(text), platform(text, url), `${url} ${text}`)
})

test('only web addresses are answered', () => {
  const base = new Base('https://example.com/', MAX)
  for (const text of [
    'javascript:x',
    'JAVA\nSCRIPT:x',
    'mailto:a@b',
    'data:,x',
    'ftp://h/x',
    'blob:https://h/x',
    'tel:1',
  ])
    assert.equal(base.resolveText(text), '', text)
})

test('a reference that is too long, before or after encoding, is refused', () => {
  const base = new Base('https://example.com/', 100)
  assert.equal(base.resolveText(`/${'a'.repeat(200)}`), '')
  assert.equal(base.resolveText(`/${'é'.repeat(40)}`), '')
})

test('without a base on the web only absolute references lead anywhere', () => {
  const base = new Base('about:blank', MAX)
  assert.equal(base.resolveText('/x'), '')
  assert.equal(base.resolveText('https://h.test/x'), 'https://h.test/x')
})
