import { createHash } from 'node:crypto'

/**
 * URL → a relative file path that is safe on every file system and different for every URL. A simple URL keeps its
 * shape (`https://example.com/docs/intro` → `example.com/docs/intro.md`); whenever anything had to be changed, a hash of
 * the URL in the name keeps it apart from others.
 */
const MAX_FOLDERS = 8
/** Times four bytes of UTF-8, and the hash, is what file systems take. */
const MAX_NAME_CHARS = 50
const HASH_CHARS = 12
const SIMPLE = /^[a-z0-9][a-z0-9._-]*$/
/** Windows gives these names to devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

export function markdownPath(url: string): string {
  const parsed = URL.parse(url)
  const folders = parsed ? parsed.pathname.split('/').slice(1) : [url]
  const last = folders.pop() ?? ''
  const name = `${safeName(last || 'index')}${isPlain(url, parsed, folders, last) ? '' : hashOf(url)}.md`
  return [hostFolder(parsed), ...folders.slice(0, MAX_FOLDERS).map(safeName), name].join('/')
}

/** The path alone tells the URL, even where upper and lower case are the same. */
function isPlain(url: string, parsed: URL | null, folders: readonly string[], last: string): boolean {
  if (!parsed || url !== `${parsed.origin}${parsed.pathname}` || folders.length > MAX_FOLDERS) return false
  const isRoot = folders.length === 0 && last === ''
  return isRoot || (folders.every(isSimple) && isSimple(last) && last !== 'index')
}

const isSimple = (segment: string): boolean =>
  SIMPLE.test(segment) && segment.length <= MAX_NAME_CHARS && !needsCare(segment)

const hashOf = (url: string): string => `-${createHash('sha256').update(url).digest('hex').slice(0, HASH_CHARS)}`

/** No host can hold an `@`, so that `@` parts what the default scheme and port leave open. */
function hostFolder(parsed: URL | null): string {
  if (!parsed?.hostname) return 'other'
  const host = parsed.hostname.replace(/[^a-z0-9._-]/gi, '_')
  const folder = RESERVED.test(host) || /^\.|\.$/.test(host) ? `_${host}_` : host
  const scheme = parsed.protocol === 'https:' ? '' : `@${parsed.protocol.replace(/[^a-z0-9]/gi, '')}`
  return `${folder.slice(0, 200)}${scheme}${parsed.port ? `@${parsed.port}` : ''}`
}

function safeName(segment: string): string {
  if (isSimple(segment)) return segment
  const readable = decoded(segment)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '_')
  // Counted in code points: a cut through the middle of one would be no valid name.
  const cut = [...readable].slice(0, MAX_NAME_CHARS).join('').replace(/\.+$/, '')
  return cut === '' || needsCare(cut) ? `_${cut}_` : cut
}

/** A folder `a.md` would stand in the way of the page `a`; a name that ends like a hash could be that of another page. */
const needsCare = (name: string): boolean => RESERVED.test(name) || /\.md$|\.$|-[0-9a-f]{12}$/i.test(name)

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
