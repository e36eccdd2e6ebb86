import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { bands } from '../../bands.ts'
import type { Candidate, CrawlRequest } from '../../frontier.ts'

/**
 * A queued URL as it stands in Redis, in one line or two:
 *
 *     1 character   band: 0 high, 1 medium, 2 low
 *     1             attempts that failed, in base 36 as all that follows; what is too large is cut to the largest
 *     1             redirects since the last link or seed
 *     3             depth
 *     6             when it was discovered, in seconds since 2020
 *     the rest      URL in short form
 *     second line   parent, if there is one: 2 characters say how much of the first line's URL it begins with, then
 *                   the rest of its short form
 *
 * It is text, so that a person can read it with redis-cli, and short, because there are billions: a URL of the host
 * itself needs no host, and most pages lie near the page that named them.
 */
const epochMs = Date.UTC(2020, 0, 1)
const headLength = 12
const longestShared = 36 ** 2 - 1

export function packEntry(candidate: Candidate, discoveredAt: number): string {
  const { url, host, band, depth, parent, redirects } = candidate
  const seconds = Math.max(0, Math.floor((discoveredAt - epochMs) / 1000))
  const short = shortUrl(url, host)
  const head = `${bands.indexOf(band)}0${digits(redirects, 1)}${digits(depth, 3)}${digits(seconds, 6)}`
  return parent === null ? head + short : `${head}${short}\n${sharing(shortUrl(parent, host), short)}`
}

export function unpackEntry(entry: string, host: HostKey): CrawlRequest {
  const [line, parent] = entry.split('\n', 2) as [string, string | undefined]
  const short = line.slice(headLength)
  const number = (from: number, to: number) => Number.parseInt(line.slice(from, to), 36)
  return {
    url: longUrl(short, host),
    priority: bands[number(0, 1)]!,
    depth: number(3, 6),
    parent: parent === undefined ? null : longUrl(unshared(parent, short), host),
    discoveredAt: epochMs + number(6, headLength) * 1000,
    redirects: number(2, 3),
    attempts: number(1, 2),
  }
}

/** `!` stands for http, and a path for a URL of the host itself. */
export function shortUrl(url: CanonicalUrl, host: HostKey): string {
  const secure = url.startsWith('https://')
  const rest = url.slice(secure ? 8 : 7)
  const isOfHost = rest.startsWith(host) && rest.charCodeAt(host.length) === 0x2f
  return `${secure ? '' : '!'}${isOfHost ? rest.slice(host.length) : rest}`
}

export function longUrl(short: string, host: HostKey): CanonicalUrl {
  const plain = short.startsWith('!')
  const rest = plain ? short.slice(1) : short
  return `${plain ? 'http' : 'https'}://${rest.startsWith('/') ? host : ''}${rest}` as CanonicalUrl
}

function sharing(text: string, other: string): string {
  const most = Math.min(text.length, other.length, longestShared)
  let shared = 0
  while (shared < most && text.charCodeAt(shared) === other.charCodeAt(shared)) shared++
  return digits(shared, 2) + text.slice(shared)
}

const unshared = (text: string, other: string) => other.slice(0, Number.parseInt(text.slice(0, 2), 36)) + text.slice(2)

function digits(value: number, width: number): string {
  return Math.min(value, 36 ** width - 1)
    .toString(36)
    .padStart(width, '0')
}
