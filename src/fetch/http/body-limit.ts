import type { FetchConfig } from '../config.ts'
import { type Header, header } from '../outcome.ts'

/** How much of a body is read, decided when its head has come. */
export type BodyLimit =
  | { readonly kind: 'read'; readonly maxBytes: number; readonly isPage: boolean }
  | { readonly kind: 'refuse'; readonly detail: string }

/** Compressed archives are among them since sitemaps come as such. */
const pageType = /^\s*(?:text\/|application\/(?:(?:[\w.-]+\+)?xml|(?:x-)?gzip)\b)/i

/** Sitemaps are larger than pages may be. */
const sitemapType = /^\s*(?:text\/xml|application\/(?:(?:rss|atom|rdf)\+)?xml|application\/(?:x-)?gzip)\b/i

/** Read whole where that is possible; half of one is recorded for what it is. */
const documentType = /^\s*application\/(?:pdf|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.)/i
const mediaType = /^\s*(?:image|audio|video|font)\//i

/** Without a type it may be anything, hence a page. */
export function isPageType(contentType: string | undefined): boolean {
  return !contentType?.trim() || pageType.test(contentType)
}

/**
 * Pages are read up to the configured limit and refused when they announce more: half a page would pass for the whole.
 * Of other types, and where the caller asked for a cut, the beginning is enough.
 */
export function bodyLimit(
  status: number,
  headers: readonly Header[],
  config: Pick<FetchConfig, 'maxBodyBytes' | 'maxOtherBytes' | 'maxMediaBytes' | 'maxSitemapBytes'>,
  cutAtBytes: number = Number.POSITIVE_INFINITY,
): BodyLimit {
  const contentType = header(headers, 'content-type')
  const isPage = status === 200 && isPageType(contentType)
  if (status === 200 && contentType !== undefined && documentType.test(contentType))
    return { kind: 'read', maxBytes: Math.min(config.maxBodyBytes, cutAtBytes), isPage: false }
  if (!isPage) {
    const isMedia = contentType !== undefined && mediaType.test(contentType)
    const maxBytes = Math.min(config.maxOtherBytes, isMedia ? config.maxMediaBytes : config.maxBodyBytes)
    return { kind: 'read', maxBytes: Math.min(maxBytes, config.maxBodyBytes, cutAtBytes), isPage }
  }
  const mayBeSitemap = contentType !== undefined && sitemapType.test(contentType)
  const maxBytes = mayBeSitemap ? Math.max(config.maxBodyBytes, config.maxSitemapBytes) : config.maxBodyBytes
  const announcedBytes = Number(header(headers, 'content-length') ?? 0)
  if (announcedBytes > maxBytes && cutAtBytes > maxBytes)
    return { kind: 'refuse', detail: `${announcedBytes} bytes announced, ${maxBytes} allowed` }
  return { kind: 'read', maxBytes: Math.min(maxBytes, cutAtBytes), isPage }
}
