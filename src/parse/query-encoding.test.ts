import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseConfig } from './config.ts'
import { decode } from './decode.ts'
import { parsePage } from './parse-page.ts'
import { withEncodedQuery } from './query-encoding.ts'

test('a query is written in the encoding of its page, what that lacks as a reference by number', () => {
  for (const [charset, text, expected] of [
    ['windows-1251', '/?q=привет', '/?q=%EF%F0%E8%E2%E5%F2'],
    ['euc-kr', '?†', '?%A2%D3'],
    ['windows-1252', '?†', '?%86'],
    ['iso-8859-2', '?¢', '?%26%23162%3B'],
    ['shift_jis', '?−表', '?%81|%95\\'],
    ['big5', '?†中', '?%26%238224%3B%A4%A4'],
    ['iso-8859-1', '/é?a#é', '/é?a#é'],
    ['utf-8', '?é', '?é'],
    ['utf-16le', '?é', '?é'],
    ['koi8-r', '/я?я#я', '/я?%D1#я'],
    ['koi8-r', '#?я', '#?я'],
  ] as const)
    assert.equal(withEncodedQuery(text, charset), expected, charset)
})

test('links of a page in another encoding lead where a browser would go', () => {
  const body = Buffer.concat([
    Buffer.from('<meta charset=windows-1251><a href="/'),
    Buffer.from([0xff]),
    Buffer.from('?q='),
    Buffer.from([0xff]),
    Buffer.from('">x</a>'),
  ])
  const options = { url: 'https://e.com/', contentType: 'text/html', config: parseConfig.parse({}) }
  assert.deepEqual(
    parsePage(body, options).links.map(({ url }) => url),
    ['https://e.com/%D1%8F?q=%FF'],
  )
})

test('what was encoded is read back by who knows the encoding', () => {
  const charset = fc.constantFrom('windows-1251', 'shift_jis', 'euc-jp', 'gbk', 'euc-kr', 'big5', 'iso-8859-7')
  fc.assert(
    fc.property(charset, fc.string({ unit: 'grapheme', maxLength: 10 }), (name, text) => {
      const encoded = withEncodedQuery(`?${text.replaceAll('#', '')}`, name)
      const bytes = Buffer.from(
        encoded.slice(1).replace(/%([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`))),
        'latin1',
      )
      assert.ok(/^[\0-\x7f]*$/.test(encoded))
      assert.ok(decode(bytes, name).toString().isWellFormed())
    }),
  )
})
