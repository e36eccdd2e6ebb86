import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pack, unpack } from './packed-record.ts'
import { blankRecord } from './url-record.fixture.ts'

const SHORT = blankRecord('https://a.test/', { title: 'Silk', keywords: ['web'], lang: 'en', fetchedAt: 1 })

test('any record comes back as it was, whatever was packed before', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.lorem({ maxCount: 200 }))
  const link = fc.oneof(fc.webUrl(), fc.constantFrom('', '\n', 'a\nb', '\ud800'))
  const links = fc.array(link, { maxLength: 60 })
  fc.assert(
    fc.property(text, links, fc.string({ maxLength: 600 }), (text, links, title) => {
      const record = { ...SHORT, text, links, title }
      assert.deepEqual(unpack(pack(record)), record)
    }),
  )
})

test('no links and one empty link are not the same', () => {
  const text = 'long enough to be compressed '.repeat(50)
  for (const links of [[], [''], ['', '']]) assert.deepEqual(unpack(pack({ ...SHORT, text, links })).links, links)
})

test('a text cut in the middle of a character comes back as it was cut', () => {
  const record = { ...SHORT, text: `${'word '.repeat(200)}\ud83d` }
  assert.deepEqual(unpack(pack(record)), record)
})

test('a record of megabytes, of which nothing can be saved, comes back as it was', () => {
  const noise = Array.from({ length: 400_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * i * 2654435761) >>> 20)))
  const record = { ...SHORT, text: noise.join('') }
  assert.deepEqual(unpack(pack(record)), record)
  assert.deepEqual(unpack(pack({ ...record, text: 'small again '.repeat(100) })).text, 'small again '.repeat(100))
})

test('a short record is kept as JSON that any tool can read', () => {
  assert.deepEqual(JSON.parse(pack(SHORT) as string), SHORT)
})
