import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReader } from '../../src/embedded/open-reader.ts'
import {
  type CrawlOrders,
  crawlHostileWeb,
  endsOf,
  hostileWeb,
  impatience,
  kindsOfMisbehaviour,
  requestsOf,
} from './hostile-web.ts'
import type { Watched } from './watched-crawl.ts'

const timeOut = /^dead: (?:first-byte|body|total)-timeout$/
const content = /^page 200/
const protocol = /^dead: protocol$/
const robots = /^dead: robots-unavailable$/

/** How the seed of each host must end: with a word for what its host did, or as the page that it is all the same. */
const ends: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['slow-drip', 'slow-headers', 'never-answers'].map((kind) => [kind, timeOut])),
  'chunk-extensions': /^page 200|^dead: (?:protocol|total-timeout)$/,
  'endless-body': /^page 200 cut at the limit of bytes$|timeout$/,
  'gzip-bomb': /inflate-too-large/,
  'brotli-bomb': /inflate-too-large/,
  'zstd-bomb': /inflate-too-large/,
  'broken-gzip': /bad-encoding/,
  'five-codings': /bad-encoding/,
  'length-too-long': /^page 200 broke off early$/,
  'unfinished-chunks': /^page 200 broke off early$/,
  ...Object.fromEntries(
    ['length-no-number', 'negative-length', 'length-and-chunks'].map((kind) => [kind, /^page 200$/]),
  ),
  ...Object.fromEntries(
    [
      ...['two-lengths', 'broken-chunks', 'header-bomb'],
      ...['long-header', 'garbage', 'other-protocol', 'http-0.9', 'chunk-size-overflow', 'endless-100'],
    ].map((kind) => [kind, protocol]),
  ),
  ...Object.fromEntries(
    ['empty-reply', 'switching-protocols', 'reset', 'reset-in-body', 'half-a-head'].map((kind) => [
      kind,
      /^dead: reset$/,
    ]),
  ),
  'bad-status': /^other 999$/,
  'huge-length': /^dead: body-too-large$/,
  'huge-title': /^page 200|^dead: body-too-large$/,
  'redirect-nowhere': /^other 302$/,
  'redirect-no-url': /^other 301$/,
  'redirect-to-itself': /^redirect 301 /,
  'redirect-for-ever': /^redirect 302 .*\/hop\/1$/,
  'redirect-to-file': /^redirect 301 file:\/\/\/etc\/passwd \(not followed: scheme\)$/,
  'redirect-to-metadata': /^redirect 301 http:\/\/169\.254\./,
  'redirect-too-long': /^redirect 301 /,
  'no-content': /^other 204$/,
  'partial-uninvited': /^other 206$/,
  'unchanged-uninvited': /^other 304$/,
  unauthorized: /^other 401$/,
  forbidden: /^other 403$/,
  gone: /^other 410$/,
  misdirected: /^other 421$/,
  'too-early': /^dead: status-425$/,
  'throttles-for-ever': /^dead: (?:status-429|retry-after)/,
  'busy-for-ever': /^dead: (?:status-503|retry-after)/,
  'broken-for-ever': /^dead: status-500$/,
  'xml-entities': /^other 200/,
  cloudflare: /^dead: blocked: Cloudflare challenge$/,
  captcha: /^dead: blocked: PerimeterX$/,
  consent: /^dead: blocked: consent page$/,
  parked: /^other 200 parked: domain for sale$/,
  'robots-500': robots,
  'robots-silent': robots,
  'robots-reset': robots,
  'robots-garbage': robots,
}

/** The rule that stops each trap, as `why` shows it for what was refused. */
const rules: Readonly<Record<string, RegExp>> = {
  calendar: /^calendar$/,
  'path-loop': /^path-loop$/,
  'growing-query': /^too-many-parameters$|^facets: /,
  'growing-path': /^too-deep-path$/,
  facets: /^facets: \/shop$/,
  'long-names': /^long-segment$/,
  'subdomains-for-ever': /^subdomains: bad-\d+\.test$/,
  'many-distinct-links': /^host-budget$/,
}

/** Bodies, bombs and long pages have their limits; what a process has once taken it rarely gives back. */
const maxMoreMib = 400
const goodHosts = 1000
const pagesOfEach = 4
const goodPages = goodHosts * pagesOfEach
const settings = { ...impatience, 'politeness.delayMs': 100 }

test('every way to misbehave ends with a word for it, within its limits, and a thousand good hosts do not notice', async (t) => {
  assert.ok(kindsOfMisbehaviour >= 60, `${kindsOfMisbehaviour} kinds`)
  const orders = { settings, goodPages, untilGood: false }
  const alone = await watchedAlone(orders)
  await using crawl = await crawlHostileWeb(hostileWeb(goodHosts, pagesOfEach, 1), orders)
  const { watched, web, folder } = crawl
  assert.equal(watched.goodPages, goodPages)
  // While good hosts had something to visit, bad ones were visited no more often than as many others would have been.
  const share = kindsOfMisbehaviour * pagesOfEach
  assert.ok(watched.otherVisits <= share, `${watched.otherVisits} visits to bad hosts, ${share} would be theirs`)
  const moreMib = (watched.peakRssBytes - alone.peakRssBytes) / 2 ** 20
  t.diagnostic(`${watched.otherVisits} of at most ${share} visits, ${moreMib.toFixed(0)} of at most ${maxMoreMib} MiB`)
  assert.ok(moreMib < maxMoreMib, `${moreMib.toFixed(0)} MiB more than without bad hosts`)
  const expected = await web.expected()
  await using reader = await openReader(folder)
  const wrong: string[] = []
  for (const [what, end] of await endsOf(reader, expected.hostile))
    if (!(ends[what] ?? content).test(end)) wrong.push(`${what}: ${end}`)
  assert.deepEqual(wrong, [])

  const originOf = (what: string) => Object.entries(expected.hostile).find(([, kind]) => kind === what)![0]
  const refusals = new Map<string, Set<string>>()
  for await (const { url, reason } of reader.ledger.urls('excluded')) {
    const origin = originOfDomain(url)
    refusals.set(origin, (refusals.get(origin) ?? new Set()).add(reason ?? ''))
  }
  for (const [what, rule] of Object.entries(rules)) {
    const said = [...(refusals.get(originOf(what)) ?? [])]
    assert.ok(
      said.some((reason) => rule.test(reason)),
      `${what}: ${said.join(', ')}`,
    )
  }
  for (const [host, requests] of await requestsOf(web)) assert.ok(requests <= 90, `${requests} requests to ${host}`)

  const notes = new Map<string, number>()
  for (const what of ['soft-404', 'same-words'])
    for await (const { url } of reader.records.scan())
      if (url.startsWith(originOf(what)) && url !== originOf(what)) {
        const detail = (await reader.records.visits(url)).at(-1)!.detail.split(':', 1)[0]!
        notes.set(`${what}: ${detail}`, (notes.get(`${what}: ${detail}`) ?? 0) + 1)
      }
  assert.equal(notes.get('soft-404: soft-404'), 12, JSON.stringify([...notes]))
  assert.equal(notes.get('soft-404: probe'), 1)
  assert.ok(notes.get('same-words: blocked')! >= 15, JSON.stringify([...notes]))
})

async function watchedAlone(orders: CrawlOrders): Promise<Watched> {
  await using crawl = await crawlHostileWeb(hostileWeb(goodHosts, pagesOfEach, 0), orders)
  assert.equal(crawl.watched.goodPages, goodPages)
  return crawl.watched
}

/** Names below a bad host are its own invention. */
function originOfDomain(url: string): string {
  return `${new URL(url).origin}/`.replace(/\/\/n\d+\./, '//')
}
