import type { Band } from '../frontier/frontier.ts'
import type { ListedUrl } from '../parse/listing.ts'

/** Of the URLs of a sitemap; a site that calls all of its pages important says nothing. */
const MAX_IMPORTANT_SHARE = 0.2
const IMPORTANT = 0.9
const UNIMPORTANT = 0.4

/** By which band each URL of a listing is offered: medium unless its priority, or how seldom it changes, says otherwise. */
export function listedBands(urls: readonly ListedUrl[]): (listed: ListedUrl) => Band {
  const important = urls.filter(isImportant).length
  const isBelieved = important <= urls.length * MAX_IMPORTANT_SHARE
  return (listed) => {
    const { priority, changes, isSitemap } = listed
    if (isSitemap) return 'high'
    if (isImportant(listed)) return isBelieved ? 'high' : 'medium'
    if (priority === null) return changes === 'never' || changes === 'yearly' ? 'low' : 'medium'
    return priority < UNIMPORTANT ? 'low' : 'medium'
  }
}

function isImportant({ priority }: ListedUrl): boolean {
  return priority !== null && priority >= IMPORTANT
}

/** Those that changed last come first; those that do not tell come last, in the order of the listing. */
export function newestFirst(urls: readonly ListedUrl[]): readonly ListedUrl[] {
  return urls.toSorted((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : 0))
}
