import type { Page } from '../parse/page.ts'
import type { UrlRecord } from '../store/url-record.ts'
import { hostOf } from '../url/keys.ts'
import type { SearchDocument } from './search-index.ts'

/** Pages that do not ask to be left out. */
export function isSearchable(record: UrlRecord): boolean {
  return record.kind === 'page' && !record.noindex
}

export function searchDocument(page: Page, record: UrlRecord): SearchDocument {
  return {
    url: record.url,
    host: hostOf(record.url),
    title: page.title || page.openGraph['og:title'] || '',
    description: page.description || page.openGraph['og:description'] || '',
    text: page.text,
    lang: page.lang,
    date: dateOf(page, record),
  }
}

/** No page is newer than the moment it was fetched, whatever it says: else a false date would always come first. */
function dateOf(page: Page, record: UrlRecord): number {
  const published = Date.parse(page.publishedAt)
  return Number.isNaN(published) ? record.fetchedAt : Math.min(published, record.fetchedAt)
}
