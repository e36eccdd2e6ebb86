import { type Charset, encoded } from './charset.ts'
import { type HtmlOptions, html } from './html.ts'

/** Where the time of the test web begins. */
export const epochMs = Date.UTC(2026, 0, 1)

/** One HTML page of the test web, with what a crawler should find in it. */
export interface Document {
  readonly title: string
  readonly lang: string
  readonly marker: string
  readonly charset: Charset
  readonly contentType: string
  readonly noindex: boolean
  /** What `<link rel=canonical>` says; empty without one. */
  readonly canonical: string
  /** Documents of one group have the same bytes. */
  readonly duplicateGroup: string | undefined
  /** Documents of one group differ in a word or two. */
  readonly nearGroup: string | undefined
  readonly etag: string
  readonly modifiedAtMs: number
  readonly headers: Readonly<Record<string, string>>
  /** Decoded, as it would be hashed; the same bytes on every call. */
  body(): Buffer
}

export interface DocumentOptions extends HtmlOptions {
  readonly encodeAs?: Charset
  readonly contentType?: string
  readonly noindex?: boolean
  readonly canonical?: string
  readonly duplicateGroup?: string
  readonly nearGroup?: string
  readonly version?: number
  readonly modifiedAtMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function document(options: DocumentOptions): Document {
  const { encodeAs = 'utf-8', canonical = '', version = 0 } = options
  const link = canonical === '' ? '' : `<link rel="canonical" href="${canonical}">`
  const page = { ...options, head: link + (options.head ?? '') }
  return {
    title: options.title,
    lang: options.lang,
    marker: options.marker,
    charset: encodeAs,
    contentType: options.contentType ?? `text/html; charset=${encodeAs}`,
    noindex: options.noindex ?? false,
    canonical,
    duplicateGroup: options.duplicateGroup,
    nearGroup: options.nearGroup,
    etag: `"${options.marker}-${version}"`,
    modifiedAtMs: options.modifiedAtMs ?? epochMs,
    headers: options.headers ?? {},
    body: () => encoded(html(page), encodeAs),
  }
}
