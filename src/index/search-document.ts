import type { PageText } from '../parse/page-text.ts'
import type { FreshRecord } from '../store/url-record.ts'
import { hostOf } from '../url/keys.ts'
import type { SearchDocument } from './search-index.ts'

/** Pages that do not ask to be left out. */
export function isSearchable(record: FreshRecord): boolean {
  return record.kind === 'page' && !record.noindex
}

export function searchDocument(record: FreshRecord): SearchDocument<PageText> {
  return {
    url: record.url,
    host: hostOf(record.url),
    title: record.title,
    description: record.description,
    text: record.text,
    lang: record.lang,
    date: dateOf(record),
    fetchedAt: record.fetchedAt,
  }
}

/** No page is newer than the moment it was fetched, whatever it says: else a false date would always come first. */
function dateOf({ publishedAt, fetchedAt }: FreshRecord): number {
  const published = Date.parse(publishedAt)
  return Number.isNaN(published) ? fetchedAt : Math.min(published, fetchedAt)
}
