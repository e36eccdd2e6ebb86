/** What a dashboard asks for, in the proportions of somebody who looks around in it. */
export interface ReadsOf {
  readonly crawl: string
  readonly hosts: readonly string[]
  readonly urls: readonly string[]
}

type Place = (of: ReadsOf, n: number) => string

const inCrawl = ({ crawl }: ReadsOf, path: string, query: Readonly<Record<string, string>> = {}) =>
  `/v1/crawls/${crawl}${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ''}`

const at = <T>(list: readonly T[], n: number): T => list[n % list.length]!
const sorts = ['urls', 'queued', 'name', 'next'] as const
/** From what nearly every page says to what few do. */
const words = [
  'water',
  'history',
  '"the world"',
  'python language',
  'mountain river',
  'encyclopedia',
  'title:list',
  'xyzzy',
]

/** Each as often as it stands here. */
const places: readonly (readonly [name: string, times: number, place: Place])[] = [
  ['overview', 4, () => '/v1/overview'],
  ['crawls', 2, () => '/v1/crawls'],
  ['crawl', 2, (of) => inCrawl(of, '')],
  ['workers', 3, () => '/v1/workers'],
  ['alerts', 1, () => '/v1/alerts'],
  ['metrics', 1, () => '/metrics'],
  ['hosts', 2, (of, n) => inCrawl(of, '/hosts', { sort: at(sorts, n) })],
  ['host', 1, (of, n) => inCrawl(of, `/hosts/${encodeURIComponent(at(of.hosts, n))}`)],
  ['page', 1, (of, n) => inCrawl(of, '/page', { url: at(of.urls, n) })],
  ['text', 1, (of, n) => inCrawl(of, '/page/text', { url: at(of.urls, n) })],
  ['url', 1, (of, n) => inCrawl(of, '/url', { url: at(of.urls, n) })],
  ['search', 1, (of, n) => inCrawl(of, '/search', { q: at(words, n) })],
]

const turns = places.flatMap(([name, times, place]) => Array.from({ length: times }, () => ({ name, place })))
/** A step that has no common divisor with the number of turns meets each of them before any comes again. */
const step = 7

/** The n-th request, always the same for the same n. */
export function readAt(n: number, of: ReadsOf): { readonly name: string; readonly path: string } {
  const { name, place } = at(turns, n * step)
  return { name, path: place(of, Math.floor(n / turns.length)) }
}
