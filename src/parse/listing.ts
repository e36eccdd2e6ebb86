/** A URL that a sitemap or a feed lists. Dates and weights are the site's own word: hints, no facts. */
export interface ListedUrl {
  /** Absolute; not yet canonical. */
  readonly url: string
  /** It is a further sitemap. */
  readonly isSitemap: boolean
  /** ISO 8601, or empty. */
  readonly modifiedAt: string
  /** 0 to 1; `null`: not said. */
  readonly priority: number | null
  readonly changes: ChangeFrequency | ''
}

export const changeFrequencies = ['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'] as const
export type ChangeFrequency = (typeof changeFrequencies)[number]

/** What a sitemap or a feed lists. */
export interface Listing {
  readonly kind: 'sitemap' | 'feed'
  readonly urls: readonly ListedUrl[]
  /** A limit ended it, or it broke off: there may be more. */
  readonly isCut: boolean
}

/** Takes what one listing names, up to its limits; the same URL once. */
export class ListedUrls {
  readonly #base: string
  readonly #maxUrls: number
  readonly #maxUrlChars: number
  readonly #urls = new Map<string, ListedUrl>()
  isCut = false

  constructor(base: string, maxUrls: number, maxUrlChars: number) {
    this.#base = base
    this.#maxUrls = maxUrls
    this.#maxUrlChars = maxUrlChars
  }

  get urls(): readonly ListedUrl[] {
    return [...this.#urls.values()]
  }

  add(reference: string, said: Partial<Omit<ListedUrl, 'url'>> = {}): void {
    const text = reference.trim()
    if (text === '' || text.length > this.#maxUrlChars) return
    const url = URL.parse(text, this.#base)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return
    if (this.#urls.has(url.href)) return
    if (this.#urls.size >= this.#maxUrls) {
      this.isCut = true
      return
    }
    this.#urls.set(url.href, { url: url.href, isSitemap: false, modifiedAt: '', priority: null, changes: '', ...said })
  }
}
