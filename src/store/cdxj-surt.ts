/**
 * URL → the sort-friendly key under which replay tools look it up: `com,example)/path?query`. Follows the rules of the
 * `surt` library that pywb and cdxj-indexer use (www stripped, all lower case, query sorted, escapes made minimal), for
 * a key that differs is a page that they do not find.
 */
const DEFAULT_PORTS = new Set(['http::80', 'https::443'])
/** Undoing `%2525…` one level at a time is quadratic; nothing honest is escaped more often. */
const MAX_UNESCAPES = 8
const MUST_ESCAPE = /[^!"$&'()*+,\-./:;<=>?@[\\\]^_`{|}~0-9A-Za-z]/g
/** Most paths: nothing in them is escaped, doubled or a session. */
const PLAIN_PATH = /^(?:\/[\w\-.~]+)*\/?$/
const PATH_SESSIONS = [
  /^(.*\/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)\/)([^?]+\.aspx.*)$/i,
  /^(.*\/)(?:\([0-9a-z]{24}\)\/)([^?]+\.aspx.*)$/i,
]
const QUERY_SESSIONS = [
  /^(.*)(?:jsessionid=[0-9a-z]{32})(?:&(.*))?$/i,
  /^(.*)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$/i,
  /^(.*)(?:sid=[0-9a-z]{32})(?:&(.*))?$/i,
  /^(.*)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$/i,
  /^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$/i,
]

/** A crawl stays with an origin for a while. */
let last = { origin: '\0', key: '' }

export function surtKey(url: string): string {
  if (url.startsWith(last.origin)) {
    const path = url.slice(last.origin.length)
    if (path.startsWith('/') && PLAIN_PATH.test(path) && !path.includes('/.')) return last.key + surtPath(path)
  }
  const parsed = URL.parse(url)
  if (!parsed?.hostname) return minimalEscape(binary(url)).replaceAll(' ', '%20') || '-'
  const { origin, pathname, search } = parsed
  if (origin !== 'null' && origin !== last.origin) last = { origin, key: surtOrigin(parsed) }
  return `${origin === 'null' ? surtOrigin(parsed) : last.key}${surtPath(pathname)}${surtQuery(search.slice(1))}`
}

function surtOrigin({ protocol, hostname, port }: URL): string {
  return `${reversedHost(hostname)}${port === '' || DEFAULT_PORTS.has(`${protocol}:${port}`) ? '' : `:${port}`})`
}

function reversedHost(hostname: string): string {
  const host = hostname.replace(/^www\d*\./, '').replace(/^[.[]+|[.\]]+$/g, '')
  return host.split('.').reverse().join(',')
}

function surtPath(pathname: string): string {
  const path = PLAIN_PATH.test(pathname) ? pathname.toLowerCase() : plainPath(pathname)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function plainPath(pathname: string): string {
  const collapsed = unescape8(binary(pathname)).replace(/\/{2,}/g, '/')
  return stripSessions(escapeBytes(collapsed).toLowerCase(), PATH_SESSIONS)
}

function surtQuery(query: string): string {
  if (query === '') return ''
  const escaped = stripSessions(minimalEscape(binary(query)), QUERY_SESSIONS).toLowerCase()
  if (escaped === '') return ''
  return `?${escaped
    .split('&')
    .map(nameAndValue)
    .sort(byNameThenValue)
    .map((pair) => pair.join('='))
    .join('&')}`
}

function nameAndValue(argument: string): readonly string[] {
  const equals = argument.indexOf('=')
  return equals === -1 ? [argument] : [argument.slice(0, equals), argument.slice(equals + 1)]
}

function byNameThenValue(a: readonly string[], b: readonly string[]): number {
  const [nameA = '', valueA] = a
  const [nameB = '', valueB] = b
  if (nameA !== nameB) return nameA < nameB ? -1 : 1
  if (valueA === valueB) return 0
  return valueA === undefined || (valueB !== undefined && valueA < valueB) ? -1 : 1
}

function stripSessions(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((kept, pattern) => {
    const match = pattern.exec(kept)
    return match ? `${match[1]}${match[2] ?? ''}` : kept
  }, text)
}

/** UTF-8 bytes as a string of one character each, on which escapes can be undone byte by byte. */
const binary = (text: string): string => Buffer.from(text).toString('latin1')

const minimalEscape = (bytes: string): string => escapeBytes(unescape8(bytes))

function unescape8(bytes: string): string {
  let text = bytes
  for (let i = 0; i < MAX_UNESCAPES && text.includes('%'); i++) {
    text = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return text
}

const escapeBytes = (bytes: string): string =>
  bytes.replace(MUST_ESCAPE, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
