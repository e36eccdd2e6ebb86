const droppedParameters = /^(utm_.*|PHPSESSID|jsessionid|sid|gclid|fbclid)$/i

/**
 * The form in which the test web states what it expects: WHATWG URL without fragment, query sorted by key, tracking and
 * session parameters dropped. Written apart from the crawler's own rule, so that one can check the other.
 */
export function canonicalUrl(url: string, base?: string): string {
  const parsed = new URL(url, base)
  parsed.hash = ''
  parsed.pathname = parsed.pathname.replace(/;jsessionid=[^/;]*/i, '')
  parsed.search = canonicalQuery(parsed.search)
  return parsed.href
}

/** The same for a path with its query, as it stands in a request line. */
export function canonicalPath(target: string): string {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const plain = path.includes(';') ? path.replace(/;jsessionid=[^/;]*/i, '') : path
  return mark < 0 ? plain : plain + canonicalQuery(target.slice(mark))
}

function canonicalQuery(query: string): string {
  const pairs = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !droppedParameters.test(key(pair)))
  if (pairs.length === 0) return ''
  return `?${pairs.sort((a, b) => compare(key(a), key(b))).join('&')}`
}

const key = (pair: string) => pair.split('=', 1)[0] ?? ''

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
