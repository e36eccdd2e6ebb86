import type { PageText } from '../parse/page-text.ts'
import type { CanonicalUrl } from '../url/keys.ts'

export interface SearchDocument<Text extends PageText = string> {
  readonly url: CanonicalUrl
  readonly host: string
  readonly title: string
  readonly description: string
  readonly text: Text
  readonly lang: string
  /** Published, or else fetched: what `after:` and `before:` compare. */
  readonly date: number
  /** The visit it is of: an engine that several workers write to keeps that of the latest. Without it, the last one put. */
  readonly fetchedAt?: number
}

export interface SearchHit {
  readonly url: CanonicalUrl
  readonly title: string
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** Plain text around the matches, with each match between `\u0002` and `\u0003`. */
  readonly excerpt: string
}

/** Full text of pages: words, "phrases", -without, prefix*, and the filters site:, lang:, after:, before:, title:. */
export interface SearchIndex extends AsyncDisposable {
  /** Replaces the document of that URL. Searchable after the engine's next commit. */
  put(document: SearchDocument<PageText>): Promise<void>
  /** A URL that is not there changes nothing. `fetchedAt`: the visit that says so. */
  remove(url: CanonicalUrl, fetchedAt?: number): Promise<void>
  /**
   * Best first. Never throws for what a person may type; a query without words but with filters lists newest first. Words
   * that find nothing as they stand are taken as beginnings of words.
   */
  search(query: string, limit: number, offset?: number): Promise<readonly SearchHit[]>
}
