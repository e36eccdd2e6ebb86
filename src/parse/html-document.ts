import type { ParseConfig } from './config.ts'
import type { MetadataCollector } from './metadata.ts'
import type { Link } from './page.ts'
import type { PageText } from './page-text.ts'
import type { References } from './references.ts'
import type { Base } from './resolve.ts'

export interface HtmlOptions {
  readonly config: ParseConfig
  /** The document is known to be well-formed UTF-8; default false. */
  readonly isWellFormed?: boolean
  /** Also links that ask not to be followed. */
  readonly allLinks: boolean
  /** Visible text and JSON-LD. */
  readonly withText: boolean
  /** Texts of links, beside the visible text; default true. */
  readonly withLabels?: boolean
  /** Open Graph and JSON-LD as such; default true. */
  readonly withData?: boolean
}

/** What one pass over a document yields. It must be asked before the next document is read: memory is used again. */
export interface HtmlDocument {
  readonly metadata: MetadataCollector
  readonly canonicalHref: string
  /** Of `<link rel=sitemap>`, as they are written. */
  readonly sitemapHrefs: readonly string[]
  /** Visible text; empty when none was asked for. */
  readonly text: PageText
  /** `charset`: the one it came in; default UTF-8. */
  base(documentUrl: string, charset?: string): Base
  links(base: Base): Link[]
  /** Hands over the same references, in the same order. */
  hand(base: Base, references: References): void
}
