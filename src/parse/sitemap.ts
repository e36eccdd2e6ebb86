import { changeFrequencies, type ListedUrl, type ListedUrls } from './listing.ts'
import { isoDate } from './published.ts'
import { type XmlHandler, xmlAttribute } from './xml-events.ts'

const FIELDS = ['loc', 'lastmod', 'changefreq', 'priority'] as const
type Field = (typeof FIELDS)[number]

const MAX_FIELD_CHARS = 8192

/** A sitemap or an index of sitemaps, after sitemaps.org: also with a prefix, without wrappers or with unclosed ones. */
export class SitemapHandler implements XmlHandler {
  readonly #found: ListedUrls
  /** Of the root element: images and videos have a `loc` of their own, with another one. */
  #prefix: string | undefined
  #entry: Partial<Record<Field, string>> = {}
  #alternates: string[] = []
  #isSitemap = false
  /** Text that stands in an entry itself: some write the address without a `loc`. */
  #bare = ''
  #field: Field | undefined

  constructor(found: ListedUrls) {
    this.#found = found
  }

  open(name: string, attributes: string): void {
    const prefix = name.slice(0, name.indexOf(':') + 1)
    this.#prefix ??= prefix
    if (name.endsWith(':link')) this.#alternate(attributes)
    if (name.endsWith(':link') || prefix !== this.#prefix) return
    const local = name.slice(prefix.length)
    if (local === 'url' || local === 'sitemap') {
      this.#flush()
      this.#isSitemap = local === 'sitemap'
    }
    this.#field = FIELDS.find((field) => field === local)
    // An entry that was never closed: the next address begins another.
    if (local === 'loc' && this.#entry.loc !== undefined) {
      this.#flush()
      this.#field = 'loc'
    }
  }

  text(text: string): void {
    if (this.#field === undefined) {
      if (this.#bare.length < MAX_FIELD_CHARS) this.#bare += text
      return
    }
    const known = this.#entry[this.#field] ?? ''
    if (known.length < MAX_FIELD_CHARS) this.#entry[this.#field] = known + text
  }

  close(name: string): void {
    this.#field = undefined
    const local = name.slice(name.indexOf(':') + 1)
    if (local === 'url' || local === 'sitemap' || local === 'urlset' || local === 'sitemapindex') this.#flush()
  }

  end(): void {
    this.#flush()
  }

  #alternate(attributes: string): void {
    const href = xmlAttribute(attributes, 'href')
    if (href !== undefined && this.#alternates.length < MAX_ALTERNATES) this.#alternates.push(href)
  }

  #flush(): void {
    const bare = /^\s*https?:\/\/\S+\s*$/i.test(this.#bare) ? this.#bare : ''
    const { loc = bare, lastmod = '', changefreq = '', priority = '' } = this.#entry
    const said: Partial<ListedUrl> = {
      isSitemap: this.#isSitemap,
      modifiedAt: isoDate(lastmod.trim()),
      changes: changeFrequencies.find((word) => word === changefreq.trim().toLowerCase()) ?? '',
      priority: priorityIn(priority.trim()),
    }
    this.#found.add(loc, said)
    for (const href of this.#alternates) this.#found.add(href, said)
    this.#entry = {}
    this.#bare = ''
    this.#alternates = []
    this.#field = undefined
  }
}

const MAX_ALTERNATES = 500

function priorityIn(text: string): number | null {
  const value = /^[\d.,]{1,10}$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  return value >= 0 && value <= 1 ? value : null
}
