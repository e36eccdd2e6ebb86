import type { FetchConfig } from '../config.ts'
import { type Header, header } from '../outcome.ts'

/** How much of a body is read, decided when its head has come. */
export type BodyLimit =
  | { readonly kind: 'read'; readonly maxBytes: number; readonly isPage: boolean }
  | { readonly kind: 'refuse'; readonly detail: string }

/** Compressed archives are among them since sitemaps come as such. */
const pageType = /^\s*(?:text\/|application\/(?:(?:[\w.-]+\+)?xml|(?:x-)?gzip)\b)/i

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
  config: Pick<FetchConfig, 'maxBodyBytes' | 'maxOtherBytes'>,
  cutAtBytes: number = Number.POSITIVE_INFINITY,
): BodyLimit {
  const isPage = status === 200 && isPageType(header(headers, 'content-type'))
  if (!isPage)
    return { kind: 'read', maxBytes: Math.min(config.maxOtherBytes, config.maxBodyBytes, cutAtBytes), isPage }
  const announcedBytes = Number(header(headers, 'content-length') ?? 0)
  if (announcedBytes > config.maxBodyBytes && cutAtBytes > config.maxBodyBytes)
    return { kind: 'refuse', detail: `${announcedBytes} bytes announced, ${config.maxBodyBytes} allowed` }
  return { kind: 'read', maxBytes: Math.min(config.maxBodyBytes, cutAtBytes), isPage }
}
