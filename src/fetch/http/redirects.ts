import { type Header, header } from '../outcome.ts'

const redirecting = new Set([300, 301, 302, 303, 307, 308])

/**
 * Where an answer sends us, absolute and without its fragment; `undefined`: nowhere, also when `Location` cannot be
 * read. Any scheme is answered: it is for the caller to refuse it, by name.
 */
export function redirectTarget(status: number, headers: readonly Header[], url: string): string | undefined {
  if (!redirecting.has(status)) return undefined
  const location = header(headers, 'location')?.trim()
  if (!location) return undefined
  const target = URL.parse(asUtf8(location), url)
  if (!target) return undefined
  target.hash = ''
  return target.href
}

/** Header bytes are read as Latin-1; servers that do not percent-encode nearly always mean UTF-8. */
function asUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? text : decoded
}
