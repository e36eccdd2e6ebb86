import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '../parse/page.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { isSearchable, searchDocument } from './search-document.ts'

const FETCHED = Date.parse('2024-06-01')
const PAGE = {
  title: 'Title',
  description: 'About',
  text: 'Text',
  lang: 'en',
  publishedAt: '2024-05-01',
  openGraph: { 'og:title': 'Shared title', 'og:description': 'Shared about' },
} as unknown as Page
const RECORD = { url: 'https://a.test:8080/x', kind: 'page', noindex: false, fetchedAt: FETCHED } as UrlRecord

test('a page becomes a document under the host of its URL, dated when it was published', () => {
  assert.deepEqual(searchDocument(PAGE, RECORD), {
    url: 'https://a.test:8080/x',
    host: 'a.test:8080',
    title: 'Title',
    description: 'About',
    text: 'Text',
    lang: 'en',
    date: Date.parse('2024-05-01'),
  })
})

test('a page without a date, or with one that is no date or lies in the future, is dated when it was fetched', () => {
  for (const publishedAt of ['', 'yesterday', '2999-01-01'])
    assert.equal(searchDocument({ ...PAGE, publishedAt }, RECORD).date, FETCHED)
})

test('what a page says for sharing stands in for a missing title and description', () => {
  const document = searchDocument({ ...PAGE, title: '', description: '' }, RECORD)
  assert.deepEqual([document.title, document.description], ['Shared title', 'Shared about'])
})

test('pages that ask to be left out, and answers that are no pages, are not searchable', () => {
  assert.equal(isSearchable(RECORD), true)
  assert.equal(isSearchable({ ...RECORD, noindex: true }), false)
  assert.equal(isSearchable({ ...RECORD, kind: 'redirect' }), false)
})
