import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlRecord } from '../store/url-record.ts'
import { isSearchable, searchDocument } from './search-document.ts'

const FETCHED = Date.parse('2024-06-01')
const RECORD = {
  ...{ url: 'https://a.test:8080/x', kind: 'page', noindex: false, fetchedAt: FETCHED },
  ...{ title: 'Title', description: 'About', text: 'Text', lang: 'en', publishedAt: '2024-05-01' },
} as UrlRecord

test('a page becomes a document under the host of its URL, dated when it was published', () => {
  assert.deepEqual(searchDocument(RECORD), {
    url: 'https://a.test:8080/x',
    host: 'a.test:8080',
    title: 'Title',
    description: 'About',
    text: 'Text',
    lang: 'en',
    date: Date.parse('2024-05-01'),
    fetchedAt: FETCHED,
  })
})

test('a page without a date, or with one that is no date or lies in the future, is dated when it was fetched', () => {
  for (const publishedAt of ['', 'yesterday', '2999-01-01'])
    assert.equal(searchDocument({ ...RECORD, publishedAt }).date, FETCHED)
})

test('pages that ask to be left out, and answers that are no pages, are not searchable', () => {
  assert.equal(isSearchable(RECORD), true)
  assert.equal(isSearchable({ ...RECORD, noindex: true }), false)
  assert.equal(isSearchable({ ...RECORD, kind: 'redirect' }), false)
})
