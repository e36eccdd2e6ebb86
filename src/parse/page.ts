import type { PageText } from './page-text.ts'

/** A link as it stands in a document, made absolute against its base; not yet canonical. */
export interface Link {
  readonly url: string
  /** `a`, `area`, `iframe`, `next`, `alternate`…: where it was found. */
  readonly kind: LinkKind
  readonly rel: string
  readonly text: string
}

export type LinkKind = 'a' | 'area' | 'iframe' | 'frame' | 'next' | 'prev' | 'alternate' | 'refresh'

/** What the page asks of robots, from `<meta name=robots>` and `X-Robots-Tag`. */
export interface Directives {
  readonly noindex: boolean
  readonly nofollow: boolean
  /** ISO 8601: until then it may be shown; empty where nothing is said. */
  readonly unavailableAfter: string
}

export type PageKind = 'html' | 'sitemap' | 'feed' | 'text' | 'pdf' | 'office' | 'other'

/** What we know of a document once parsed. Fields are cut at the limits of `parse/config.ts`. */
export interface Page<Text extends PageText = string> {
  readonly kind: PageKind
  readonly charset: string
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  /** Two-letter code: detected where the text is long enough, declared otherwise. */
  readonly lang: string
  readonly declaredLang: string
  readonly canonical: string
  /** ISO 8601, or empty. */
  readonly publishedAt: string
  readonly openGraph: Readonly<Record<string, string>>
  readonly jsonLd: readonly unknown[]
  readonly robots: Directives
  /** Without those whose `rel` asks not to follow them; all of them when asked for. */
  readonly links: readonly Link[]
  /** Sitemaps that it names. */
  readonly sitemaps: readonly string[]
  /** Visible text, blocks parted by line breaks. */
  readonly text: Text
}
