import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import { bands } from '../../bands.ts'
import { type Candidate, type CrawlRequest, mostRedirects } from '../../frontier.ts'

/**
 * A queued URL as it stands in Redis, in one line or two:
 *
 *     1 character   band and redirects since the last link or seed: redirects × 3 + (0 high, 1 medium, 2 low);
 *                   20 redirects say that the URL is visited again
 *     1             attempts that failed
 *     2             depth
 *     5             when it was discovered, in seconds since 2020
 *     the rest      URL in short form
 *     second line   parent, if there is one: 2 characters say how much of the first line's URL it begins with, then
 *                   the rest of its short form
 *
 * Numbers are written in base 64; what is too large is cut to the largest that fits. It is text, so that a person can
 * read it with redis-cli, and short, because there are billions: a URL of the host itself needs no host, and most pages
 * lie near the page that named them.
 */
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_'
const base = alphabet.length
const values = new Map(Array.from(alphabet, (digit, value) => [digit, value]))
const epochMs = Date.UTC(2020, 0, 1)
const headLength = 9
const longestShared = base ** 2 - 1
const revisitMark = mostRedirects + 1

export function packEntry(candidate: Candidate, discoveredAt: number, isRevisit = false): string {
  const { url, host, band, depth, parent } = candidate
  const redirects = isRevisit ? revisitMark : Math.min(candidate.redirects, mostRedirects)
  const seconds = Math.max(0, Math.floor((discoveredAt - epochMs) / 1000))
  const short = shortUrl(url, host)
  const head = `${digits(redirects * bands.length + bands.indexOf(band), 1)}0${digits(depth, 2)}${digits(seconds, 5)}`
  return parent === null ? head + short : `${head}${short}\n${sharing(shortUrl(parent, host), short)}`
}

export function unpackEntry(entry: string, host: HostKey): CrawlRequest {
  const [line, parent] = entry.split('\n', 2) as [string, string | undefined]
  const short = line.slice(headLength)
  const bandAndRedirects = numberIn(line, 0, 1)
  const redirects = Math.floor(bandAndRedirects / bands.length)
  const isRevisit = redirects === revisitMark
  return {
    url: longUrl(short, host),
    priority: bands[bandAndRedirects % bands.length]!,
    depth: numberIn(line, 2, 4),
    parent: parent === undefined ? null : longUrl(unshared(parent, short), host),
    discoveredAt: epochMs + numberIn(line, 4, headLength) * 1000,
    redirects: isRevisit ? 0 : redirects,
    attempts: numberIn(line, 1, 2),
    ...(isRevisit ? { isRevisit } : {}),
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

const unshared = (text: string, other: string) => other.slice(0, numberIn(text, 0, 2)) + text.slice(2)

function digits(value: number, width: number): string {
  let left = Math.min(value, base ** width - 1)
  let text = ''
  for (let n = 0; n < width; n++) {
    text = alphabet[left % base]! + text
    left = Math.floor(left / base)
  }
  return text
}

function numberIn(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = number * base + (values.get(text[at]!) ?? 0)
  return number
}
