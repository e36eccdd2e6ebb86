import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Answer, plainText, raw, redirect, reset, response, silence, type WebRequest } from '../answer.ts'
import type { Character } from '../host.ts'
import { site } from '../site.ts'
import { misdeeds } from './hostile.ts'
import { kindOf } from './kinds.ts'

const mib = 2 ** 20
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const html = { 'content-type': 'text/html; charset=utf-8' }
const xml = { 'content-type': 'application/xml' }
const links = (hrefs: readonly string[]) => hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ')
const page = (body: string, title = 'A page') => response(200, `<!doctype html><title>${title}</title><p>${body}`, html)
const many = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i))
/** Words enough for the page to count as content, different for every path. */
const words = (path: string) => many(80, (i) => `word${(i * 7919 + path.length * 31) % 997}`).join(' ')
const siteOf = (next: (path: string) => readonly string[]) => (request: WebRequest) =>
  page(`${words(request.path)} ${links(next(request.path))}`, request.path.slice(0, 50))

function brotliBomb(): Buffer {
  return brotliCompressSync(Buffer.alloc(64 * mib), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

/** What such a page links to is not there. */
function onlyAtRoot(answer: () => Answer): (request: WebRequest) => Answer {
  return ({ path }) => (path === '/' ? answer() : response(404))
}

/** What a host does with every request but that for robots.txt. */
const deeds = {
  ...(Object.fromEntries(Object.entries(misdeeds).map(([kind, answer]) => [kind, onlyAtRoot(answer)])) as Record<
    keyof typeof misdeeds,
    (request: WebRequest) => Answer
  >),
  'http-0.9': () => raw('<title>No head at all</title>'),
  'switching-protocols': () => raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: chess\r\n\r\n'),
  'endless-100': () => raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2000), 'hold'),
  reset: () => reset,
  'reset-in-body': () => raw(`${ok}Content-Length: 5000\r\n\r\n<title>Half`, 'reset'),
  'half-a-head': () => raw('HTTP/1.1 200 OK\r\nContent-Type: text/ht'),
  'negative-length': () => raw(`${ok}Content-Length: -5\r\n\r\nhello`),
  'huge-length': () => raw(`${ok}Content-Length: 99999999999\r\n\r\nhello`),
  'chunk-size-overflow': () => raw(`${ok}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello`),
  'chunk-extensions': () => raw(`${ok}Transfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(mib)}\r\nhello\r\n0\r\n\r\n`),
  'length-and-chunks': () => raw(`${ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
  'redirect-nowhere': () => response(302, 'Somewhere else.'),
  'redirect-no-url': () => redirect('http://[not a host]/'),
  'redirect-to-itself': ({ path }) => redirect(path),
  'redirect-for-ever': ({ path }) => redirect(`/hop/${(Number(/\d+/.exec(path)?.[0] ?? 0) + 1).toString()}`, 302),
  'redirect-to-file': () => redirect('file:///etc/passwd'),
  'redirect-to-metadata': () => redirect('http://169.254.169.254/latest/meta-data/'),
  'redirect-too-long': () => redirect(`/${'x'.repeat(20_000)}`),
  'no-content': () => raw('HTTP/1.1 204 No Content\r\n\r\n'),
  'partial-uninvited': () => response(206, 'part', { ...html, 'content-range': 'bytes 0-3/99' }),
  'unchanged-uninvited': () => raw('HTTP/1.1 304 Not Modified\r\n\r\n'),
  unauthorized: () => response(401, 'Who are you?', { 'www-authenticate': 'Basic realm="x"' }),
  forbidden: () => response(403, 'No.'),
  gone: () => response(410, 'Gone.'),
  misdirected: () => response(421, 'Not here.'),
  'too-early': () => response(425, 'Too early.'),
  'throttles-for-ever': () => response(429, 'Later.', { 'retry-after': '86400' }),
  'busy-for-ever': () => response(503, 'Busy.', { 'retry-after': 'Fri, 31 Dec 2199 23:59:59 GMT' }),
  'broken-for-ever': () => response(500, 'Broken.'),
  'brotli-bomb': () => response(200, brotliBomb(), { ...html, 'content-encoding': 'br' }),
  'zstd-bomb': () => response(200, zstdCompressSync(Buffer.alloc(64 * mib)), { ...html, 'content-encoding': 'zstd' }),
  'five-codings': () => response(200, 'x', { ...html, 'content-encoding': 'gzip, gzip, gzip, gzip, gzip' }),
  'program-as-page': () =>
    response(200, Buffer.from(many(4000, (i) => String.fromCharCode((i * 31) % 256)).join(''), 'latin1'), html),
  'huge-title': () => response(200, `<title>${'t'.repeat(4 * mib)}</title>`, html),
  'open-comment': () => response(200, `<title>x</title><!-- ${'- '.repeat(mib)}`, html),
  'attribute-storm': () => response(200, `<a ${many(100_000, (i) => `a${i}=${i}`).join(' ')} href="/">x</a>`, html),
  'xml-entities': () =>
    response(
      200,
      `<!DOCTYPE urlset [${many(20, (i) => `<!ENTITY e${i} "&e${i - 1};&e${i - 1};">`).join('')}]><urlset>&e19;</urlset>`,
      xml,
    ),
  'sitemap-bomb': ({ path }) =>
    path === '/'
      ? page(links(['/sitemap.xml.gz']))
      : response(200, gzipSync(`<urlset>${' '.repeat(60 * mib)}</urlset>`), { 'content-type': 'application/gzip' }),
  'sitemaps-for-ever': ({ path }) =>
    path === '/'
      ? page(links(['/maps/0.xml']))
      : response(
          200,
          `<sitemapindex><sitemap><loc>/maps/${Number(/\d+/.exec(path)?.[0]) + 1}.xml</loc></sitemap></sitemapindex>`,
          xml,
        ),
  'refresh-for-ever': ({ path }) =>
    page(`<meta http-equiv=refresh content="0; url=/r/${path.length}/${path.slice(-9)}x">${words(path)}`),
  cloudflare: () => page('<script>window._cf_chl_opt={}</script>Checking your browser', 'Just a moment...'),
  captcha: () => page('Please verify you are a human. <div id="px-captcha"></div>', 'Access denied'),
  consent: () => page('Before you continue to Example <form><button>Accept all</button></form>', 'Consent'),
  parked: () => page('This domain is for sale! Buy this domain.', 'example.com'),
  'same-words': ({ path }) =>
    page(`Nothing to see here. ${path === '/' ? '' : ''}${links(many(30, (i) => `/n/${i}`))}`, 'Nothing'),
  'soft-404': ({ path }) =>
    path === '/'
      ? page(`${words('/')} ${links(many(12, (i) => `/gone/${i}`))}`)
      : page(`We are sorry: the page ${path} was not found here. Please try our search, or go back home.`, 'Not found'),
  calendar: siteOf((path) => {
    const months = Number(/(\d+)\/(\d+)/.exec(path)?.[1] ?? 2026) * 12 + Number(/(\d+)\/(\d+)/.exec(path)?.[2] ?? 1)
    return [12, 60].map(
      (more) => `/calendar/${Math.floor((months + more) / 12)}/${String(((months + more) % 12) + 1).padStart(2, '0')}`,
    )
  }),
  'path-loop': siteOf(() => ['a/b/']),
  'growing-query': siteOf((path) => [`${path}${path.includes('?') ? '&' : '?'}p${path.length}=1`]),
  'growing-path': siteOf((path) => [`${path.split('?')[0]}${path.length}/`]),
  facets: siteOf((path) => many(30, (i) => `/shop?a=${(i * path.length) % 97}&b=${i}&c=${path.length}`)),
  'session-ids': siteOf((path) =>
    many(5, (i) => `/p${i}?PHPSESSID=${'0123456789abcdef'.repeat(2).slice(i)}${path.length}`),
  ),
  'subdomains-for-ever': ({ path, headers }) => {
    const domain = /[^.]+\.test:\d+$/.exec(headers.host ?? '')?.[0]
    const next = Number(/\d+/.exec(path)?.[0] ?? 0) + 1
    return page(`${words(path)} ${links(many(5, (i) => `//n${next * 5 + i}.${domain}/p/${next}`))}`, path)
  },
  'long-names': siteOf(() => [`/${'y'.repeat(400)}`, `/?${'z'.repeat(4000)}`]),
} satisfies Record<string, (request: WebRequest) => Answer>

/** What a host does with the request for robots.txt alone. */
const robotsDeeds = {
  'robots-500': () => response(500, 'Broken.'),
  'robots-silent': () => silence,
  'robots-reset': () => reset,
  'robots-loop': () => redirect('/robots.txt'),
  'robots-huge': () => plainText(200, 'User-agent: *\nDisallow: /x\n'.repeat(200_000)),
  'robots-binary': () => response(200, Buffer.alloc(100_000, 0xff), { 'content-type': 'text/plain' }),
  'robots-garbage': () => raw('SSH-2.0-OpenSSH_9.9\r\n'),
  'robots-bomb': () => response(200, gzipSync(Buffer.alloc(40 * mib)), { 'content-encoding': 'gzip' }),
} satisfies Record<string, (request: WebRequest) => Answer>

export const misbehaviours = [...Object.keys(deeds), ...Object.keys(robotsDeeds)] as readonly Misbehaviour[]
export type Misbehaviour = keyof typeof deeds | keyof typeof robotsDeeds

const someRequest: WebRequest = { scheme: 'http', method: 'GET', path: '/', headers: {}, atMs: 0 }

/** One way to misbehave for each host, in turn: whatever it is asked for, or only when it is asked for its robots.txt. */
export const misbehaving: Character = (host, world) => {
  const kind = kindOf(host, misbehaviours)
  const deed: (request: WebRequest) => Answer = { ...deeds, ...robotsDeeds }[kind]
  const kept = new Map<string, Answer>()
  const answer = (request: WebRequest) => {
    const known = kept.get(request.path) ?? deed(request)
    if (kept.size < 100) kept.set(request.path, known)
    return known
  }
  // Made before anybody asks: meanwhile the other hosts of this process could not answer.
  for (const path of ['/', '/robots.txt', '/sitemap.xml.gz'])
    answer({ ...someRequest, headers: { host: new URL(host.origin).host }, path })
  const whole = { ...site(host, world, { pages: 1 }), wholeHost: { kind: 'hostile', what: kind } } as const
  const wildcard = kind === 'subdomains-for-ever'
  return kind in robotsDeeds ? { ...whole, robots: answer } : { ...whole, gate: answer, wildcard }
}
