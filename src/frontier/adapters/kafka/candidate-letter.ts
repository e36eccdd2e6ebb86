import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Band, Candidate } from '../../frontier.ts'

/** A candidate as it travels. Its band is that of the topic; the fields come in this order, the last only if refused. */
type Packed = readonly [
  url: string,
  host: string,
  depth: number,
  parent: string | null,
  redirects: number,
  refusal?: string,
]

export function encodeCandidate({ url, host, depth, parent, redirects, refusal }: Candidate): string {
  const packed: Packed = [url, host, depth, parent, redirects]
  return JSON.stringify(refusal === undefined ? packed : [...packed, refusal])
}

/** `undefined`: not one of ours, such as a letter that somebody put on the topic by hand. */
export function decodeCandidate(text: string, band: Band): Candidate | undefined {
  try {
    const packed: unknown = JSON.parse(text)
    return isPacked(packed) ? unpacked(packed, band) : undefined
  } catch {
    return undefined
  }
}

function unpacked([url, host, depth, parent, redirects, refusal]: Packed, band: Band): Candidate {
  return {
    url: url as CanonicalUrl,
    host: host as HostKey,
    band,
    depth,
    parent: parent as CanonicalUrl | null,
    redirects,
    ...(refusal === undefined ? {} : { refusal }),
  }
}

function isPacked(value: unknown): value is Packed {
  if (!Array.isArray(value)) return false
  const [url, host, depth, parent, redirects, refusal] = value as unknown[]
  return (
    isText(url) &&
    /^https?:\/\//.test(url) &&
    isText(host) &&
    host !== '' &&
    isCount(depth) &&
    (parent === null || isText(parent)) &&
    isCount(redirects) &&
    (refusal === undefined || isText(refusal))
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
