import type { Header } from '../outcome.ts'

/** Headers of HTTP/2 as undici hands them over: bytes in pairs, or an object. */
export function headersReceived(raw: unknown): readonly Header[] {
  if (Array.isArray(raw)) return inPairs(raw)
  const headers: Header[] = []
  for (const [name, value] of Object.entries(raw as Record<string, string | string[] | undefined>)) {
    if (name.startsWith(':') || value === undefined) continue
    if (Array.isArray(value)) for (const one of value) headers.push([name, one])
    else headers.push([name, value])
  }
  return headers
}

/** Latin-1 keeps every byte, so that the archive can write them back as they came. */
function inPairs(raw: readonly (Buffer | string)[]): readonly Header[] {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([latin1(raw[i]!), latin1(raw[i + 1]!)])
  return headers
}

function latin1(text: Buffer | string): string {
  return typeof text === 'string' ? text : text.toString('latin1')
}
