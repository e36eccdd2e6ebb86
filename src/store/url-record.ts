import type { Validators } from '../fetch/conditional.ts'
import type { Band } from '../frontier/frontier.ts'
import type { PageText } from '../parse/page-text.ts'
import type { CanonicalUrl } from '../url/keys.ts'

/** Where an exchange lies in the archive. */
export interface WarcPlace {
  /** Below the archive's root, with forward slashes. */
  readonly file: string
  readonly offset: number
  /** Of the response (or revisit) member, compressed. */
  readonly length: number
}

/** One attempt to bring a URL, however it ended. */
export interface VisitEntry {
  readonly at: number
  /** `page`, `redirect`, `other` (an answer that is no page), `failed`, `excluded`. */
  readonly kind: 'page' | 'redirect' | 'other' | 'failed' | 'excluded'
  readonly status: number | null
  readonly durationMs: number
  readonly bytes: number
  /** Failure code, redirect target, robots rule: what a person asks for next. */
  readonly detail: string
}

/** When a URL is to be visited again, and what that rests on. */
export interface NextVisit extends Validators {
  /** `null`: never. */
  readonly dueAt: number | null
  /** From the last visit until then. */
  readonly intervalMs: number
  /** What the last visit showed, against the one before. */
  readonly because: 'first' | 'changed' | 'unchanged' | 'gone'
  /** Visits in a row that found it gone. */
  readonly timesGone: number
  /** How soon it is visited, once due. */
  readonly band: Band
}

/** All we remember of one URL that was visited. */
export interface UrlRecord<Text extends PageText = string> {
  readonly url: CanonicalUrl
  /** Where it led: the target of a redirect, else the URL itself. */
  readonly finalUrl: string
  readonly kind: VisitEntry['kind']
  readonly status: number | null
  readonly contentType: string
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly lang: string
  readonly canonical: string
  readonly publishedAt: string
  readonly noindex: boolean
  readonly text: Text
  readonly links: readonly string[]
  /** SHA-256 of the body as it was sent, less what gzip tells of time and name, hexadecimal; empty without a body. */
  readonly contentHash: string
  /** SimHash of the text, 16 hexadecimal digits; empty for texts too short to compare. */
  readonly simhash: string
  readonly duplicateOf: CanonicalUrl | null
  readonly nearDuplicateOf: CanonicalUrl | null
  readonly depth: number
  readonly parent: CanonicalUrl | null
  readonly fetchedAt: number
  readonly warc: WarcPlace | null
  /** Only where the crawl visits pages again. */
  readonly next?: NextVisit
}

/** One that was made just now. Its text is looked at no more once its visit is settled. */
export type FreshRecord = UrlRecord<PageText>
