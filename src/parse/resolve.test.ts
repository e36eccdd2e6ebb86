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
