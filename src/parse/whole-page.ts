import { DocumentReader } from './document-reader.ts'
import { detectLanguage } from './language.ts'
import type { Link, Page } from './page.ts'
import { type ParseOptions, parsePage } from './parse-page.ts'
import { readListing } from './read-listing.ts'

/** Reads a body of any kind to its end: also what sitemaps and feeds list, and the text of PDF and Office files. */
export async function wholePage(body: Buffer, options: ParseOptions): Promise<Page> {
  const page = parsePage(body, options)
  const { url, contentType, config } = options
  switch (page.kind) {
    case 'sitemap':
    case 'feed': {
      const { urls } = await readListing(body, { url, contentType, kind: page.kind, config })
      const links = urls
        .filter(({ isSitemap }) => !isSitemap)
        .map(({ url }): Link => ({ url, kind: 'a', rel: '', text: '' }))
      return { ...page, links, sitemaps: urls.filter(({ isSitemap }) => isSitemap).map(({ url }) => url) }
    }
    case 'pdf':
    case 'office': {
      await using reader = new DocumentReader(config)
      const read = await reader.read(page.kind, body)
      if ('fault' in read) return page
      return { ...page, title: read.title, text: read.text, lang: detectLanguage(read.text) }
    }
    case 'html':
    case 'text':
    case 'other':
      return page
    default:
      return page.kind satisfies never
  }
}
