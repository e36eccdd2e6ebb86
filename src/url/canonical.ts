import type { UrlConfig } from './config.ts'
import type { CanonicalUrl } from './keys.ts'
import { type DroppedParameters, droppedParameters } from './parameters.ts'
import { normalizeEscapes } from './percent.ts'
import { canonicalQuery, keptQuery } from './query.ts'
import { withoutSessions } from './session-paths.ts'

/** Why a text has no canonical URL. `scheme`: neither http nor https. */
export type UrlRefusal = 'invalid' | 'scheme' | 'too-long'

export type Canonical =
  | { readonly url: CanonicalUrl; readonly refusal?: undefined }
  | { readonly url?: undefined; readonly refusal: UrlRefusal }

/** `canonicalRules` makes it from the configuration. */
export interface CanonicalRules {
  readonly maxChars: number
  readonly dropped: DroppedParameters
  readonly dropPathSessions: boolean
  readonly tidyQuery: boolean
  readonly dropRootDot: boolean
}

export function canonicalRules(config: UrlConfig): CanonicalRules {
  return {
    maxChars: config.maxUrlChars,
    dropped: droppedParameters(
      [...config.trackingParameters, ...config.sessionParameters, ...config.dropParameters],
      config.sessionParametersIfId,
      config.keepParameters,
    ),
    dropPathSessions: config.dropPathSessions,
    tidyQuery: config.tidyQuery,
    dropRootDot: config.dropRootDot,
  }
}

/** Anything that the steps after the parser might change. Most URLs have nothing of it, and to see that is cheap. */
const UNUSUAL = /[^\w\-.~!$&')*+,=:/]|\.[:/]/
const UNUSUAL_HOST = /@|\.(?:$|:)/

const INVALID: Canonical = { refusal: 'invalid' }
const SCHEME: Canonical = { refusal: 'scheme' }
const TOO_LONG: Canonical = { refusal: 'too-long' }

/**
 * Text → the one spelling of its URL: what the WHATWG parser makes of it, without fragment, credentials (which a crawler
 * has no business sending), the dot at the end of a host, tracking parameters and session ids; query sorted, escapes in
 * one form. Idempotent. URLs that a server may tell apart stay apart, unless a setting that can be turned off says
 * otherwise: reserved characters are neither escaped nor decoded.
 */
export function canonicalUrl(text: string, base: string | undefined, rules: CanonicalRules): Canonical {
  // What is dropped can shorten a URL, but nobody drops this much: no need to parse a megabyte.
  if (text.length > rules.maxChars * 4) return TOO_LONG
  const href = URL.parse(text, base)?.href
  if (href === undefined) return INVALID
  const hostAt = startOfHost(href)
  if (hostAt === 0) return SCHEME
  if (!UNUSUAL.test(href)) return answer(href, rules)

  const pathAt = href.indexOf('/', hostAt)
  const hash = href.indexOf('#', pathAt)
  const end = hash < 0 ? href.length : hash
  const mark = href.indexOf('?', pathAt)
  const queryAt = mark < 0 || mark > end ? end : mark
  const authority = cleanAuthority(href, hostAt, pathAt, rules.dropRootDot)
  if (authority === undefined) return INVALID
  const path = cleanPath(href.slice(pathAt, queryAt), rules)
  if (queryAt === end || (rules.tidyQuery && queryAt + 1 === end)) return answer(authority + path, rules)
  const written = normalizeEscapes(href.slice(queryAt + 1, end))
  const query = rules.tidyQuery ? canonicalQuery(written, rules.dropped) : keptQuery(written, rules.dropped)
  return answer(query === '' && written !== query ? authority + path : `${authority}${path}?${query}`, rules)
}

function answer(url: string, rules: CanonicalRules): Canonical {
  return url.length > rules.maxChars ? TOO_LONG : { url: url as CanonicalUrl }
}

function cleanPath(raw: string, rules: CanonicalRules): string {
  const path = normalizeEscapes(raw)
  return rules.dropPathSessions ? withoutSessions(path, rules.dropped) : path
}

const S = 0x73
const COLON = 0x3a
const DOT = 0x2e

/** Where the host begins in a URL that the parser wrote; 0 when it is neither http nor https. */
function startOfHost(href: string): number {
  const long = href.charCodeAt(4) === S
  return href.charCodeAt(long ? 5 : 4) === COLON && href.startsWith('http') ? (long ? 8 : 7) : 0
}

/** Scheme and host without credentials and the dot of a rooted name; `undefined` for a name with an empty label at its end. */
function cleanAuthority(href: string, hostAt: number, pathAt: number, dropRootDot: boolean): string | undefined {
  const authority = href.slice(0, pathAt)
  if (!UNUSUAL_HOST.test(authority)) return authority
  const [, name = '', port = ''] =
    /^(.*?)\.?(:\d+)?$/.exec(authority.slice(authority.lastIndexOf('@') + 1 || hostAt)) ?? []
  if (name === '' || name.endsWith('.')) return undefined
  const rootDot = !dropRootDot && authority.charCodeAt(authority.length - port.length - 1) === DOT ? '.' : ''
  return href.slice(0, hostAt) + name + rootDot + port
}
