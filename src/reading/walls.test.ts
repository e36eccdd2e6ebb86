import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../parse/config.ts'
import { parsePage, readPage } from '../parse/parse-page.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { areAlike, isProbe, looksMissing, probeOf } from './missing-pages.ts'
import { RepeatedBodies } from './repeated-bodies.ts'
import { wallIn } from './walls.ts'

const config = parseConfig.parse({})
const pageOf = (html: string) =>
  parsePage(Buffer.from(html), { url: 'https://e.com/', contentType: 'text/html', config })
const wall = (html: string) => wallIn(Buffer.from(html), pageOf(html))
const prose = '<p>The lighthouse keeper wrote of ships, of storms and of the long nights between them.</p>'.repeat(30)

/** `a(b|c)` → `ab`, `ac`. */
function spelledOut(pattern: string): string[] {
  const group = /\(([^()]*)\)/.exec(pattern)
  if (!group) return [pattern]
  return group[1]!.split('|').flatMap((part) => spelledOut(pattern.replace(group[0], part)))
}

describe('walls', () => {
  const blocked: Record<string, string> = {
    'Cloudflare challenge': '<title>Just a moment...</title><script>window._cf_chl_opt={cvId:"3"}</script>',
    DataDome: '<html><script src="https://ct.captcha-delivery.com/c.js"></script></html>',
    PerimeterX: '<title>Access denied</title><div id="px-captcha"></div>',
    Imperva: '<iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>',
    'AWS WAF': '<script>window.gokuProps = {}</script><p>Human Verification</p>',
    Sucuri: '<script>sucuri_cloudproxy_js=""</script>',
    'DDoS-Guard': '<script src="https://check.ddos-guard.net/check.js"></script>',
    Anubis: '<script id="anubis_challenge" type="application/json">{}</script>',
    'browser check': '<title>x</title><p>Checking your browser before accessing e.com.</p>',
    'human check': '<p>Please verify you are a human to continue.</p>',
    captcha: '<p>To go on, solve the captcha below.</p>',
    'rate wall': '<p>Our systems have detected unusual traffic from your computer network.</p>',
    'consent page': '<h1>Before you continue to Example</h1><button>Accept all</button>',
  }
  for (const [by, html] of Object.entries(blocked))
    test(`${by} is told by its marks`, () => assert.deepEqual(wall(html), { kind: 'blocked', by }))

  test('domains for sale are told', () => {
    for (const html of [
      '<p>This domain is for sale!</p>',
      '<p>Buy this domain</p>',
      '<html data-adblockkey="x"><p>Links',
    ])
      assert.equal(wall(html)?.kind, 'parked', html)
  })

  test('every mark is found, in the letters in which it counts', () => {
    const marks: Record<string, readonly string[]> = {
      'Cloudflare challenge': [
        '_cf_chl_opt',
        'cf-challenge-running',
        '/cdn-cgi/challenge-platform/h/b/orchestrate',
        '/cdn-cgi/challenge-platform/h/g/orchestrate',
      ],
      DataDome: ['captcha-delivery.com', 'geo.captcha-delivery', `'dd': {"rt"`, `"dd:{'rt'`],
      PerimeterX: [`id="px-captcha`, `id='px-captcha`, '_pxAppId', 'captcha.px-cdn.net', 'perimeterx.net'],
      Imperva: ['_Incapsula_Resource', '_INCAPSULA_RESOURCE', 'Incapsula incident ID', 'incapsula INCIDENT id'],
      'AWS WAF': ['awswaf.com/a/challenge.js', 'window.gokuProps', 'aws-waf-token'],
      Akamai: ['sec-if-cpt-container', 'sec-cpt-if', 'akam/13/pixel_1?a=dD0'],
      Sucuri: ['sucuri_cloudproxy_js', 'sucuri.net/privacy'],
      'DDoS-Guard': ['ddos-guard.net/', '__ddg2_'],
      Kasada: ['/_sec/verify', '/_SEC/VERIFY', 'kpsdk', 'KPSDK', 'ips.js?x=kpsdk'],
      Distil: ['distil_r_captcha', 'DISTIL_R_CAPTCHA', 'distilCallbackGuard', '/Distil_Identify_Cookie'],
      Anubis: ['within.website/x/cmd/anubis', `id="anubis_challenge`, `id='anubis_challenge`],
    }
    for (const [by, some] of Object.entries(marks))
      for (const mark of some) assert.deepEqual(wall(`<script>${mark}</script>`), { kind: 'blocked', by }, mark)
    for (const mark of [
      ...['sedoparking.com', 'parkingcrew.net', 'bodis.com', '//above.com/marketplace', '//www.above.com/marketplace'],
      ...['hugedomains.com/domain_profile', 'window.park = 1', 'data-adblockkey=', 'afternic.com/forsale'],
      'dan.com/buy-domain',
    ])
      assert.deepEqual(wall(`<script>${mark}</script>`), { kind: 'parked', by: 'parked domain' }, mark)
  })

  test('every saying is found, in any letters', () => {
    const sayings: Record<string, readonly string[]> = {
      'browser check': [
        '(checking|verifying) (your browser|you are human|if the site connection is secure)',
        'enable (js|javascript) and (cookies|disable any ad blocker)',
      ],
      'human check': [
        `(verify|confirm|prove) (that |)you('|\u0020a)re (a |not a |)(human|robot)`,
        'are you a (human|robot)',
        `i('|\u0020a)m not a robot`,
      ],
      'rate wall': ['unusual (traffic|activity) from your (computer |)(network|ip)'],
      captcha: ['(complete|solve) the (captcha|security check)', 'enter the characters you see'],
      'consent page': ['before you continue to x', 'we value your privacy. (accept all|reject all|manage)'],
      'domain for sale': [
        '(this|the) domain (name |)(e.com |)(is|may be) (for sale|parked|available for sale|available for purchase)',
        '(buy this domain|domain is for sale|diese domain steht zum verkauf|diese domain ist geparkt)',
      ],
      'parked domain': ['this (webpage|web page|site) is parked (free|by|courtesy)'],
    }
    for (const [by, some] of Object.entries(sayings))
      for (const saying of some.flatMap(spelledOut))
        for (const said of [saying, saying.toUpperCase()]) assert.equal(wall(`<p>So: ${said}</p>`)?.by, by, said)
    for (const opening of [
      'Just a moment...',
      'Attention required!',
      'DDoS protection by',
      'Access denied. Reference 1',
    ])
      assert.equal(wall(`<title>${opening}</title>`)?.by, 'browser check', opening)
  })

  test('a page with something to say is content, whatever it mentions and carries', () => {
    for (const html of Object.values(blocked)) assert.equal(wall(html + prose), undefined, html)
    assert.equal(
      wall('<p>Short and honest.</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
      undefined,
    )
    assert.equal(wall(''), undefined)
  })
})

describe('the same few words for every URL', () => {
  test('one too many in a row is a wall; another page in between begins anew', () => {
    const bodies = new RepeatedBodies()
    const ask = (hash: string) => bodies.isWall('e.com', hash, 'Go away.')
    assert.deepEqual(Array.from({ length: 10 }, () => ask('a')).map(Number), [0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    assert.equal(ask('b'), false)
    assert.equal(ask('a'), false)
  })

  test('empty pages and long ones do not count, and hosts do not share', () => {
    const bodies = new RepeatedBodies()
    for (let i = 0; i < 20; i++) {
      assert.equal(bodies.isWall('e.com', 'a', ''), false)
      assert.equal(bodies.isWall('f.com', 'a', 'x'.repeat(5000)), false)
      assert.equal(bodies.isWall(`h${i}.com`, 'a', 'Go away.'), false)
    }
  })
})

describe('pages that say there is none', () => {
  const anyUrl = 'https://e.com/any' as CanonicalUrl

  test('are told in several languages, if they are short', () => {
    for (const title of ['404', 'Page not found', 'Seite nicht gefunden', 'Page introuvable', 'Página no encontrada'])
      assert.equal(looksMissing(pageOf(`<title>${title}</title><p>Sorry.`), anyUrl), true, title)
    assert.equal(looksMissing(pageOf('<title>Lighthouses</title><p>Ships.'), anyUrl), false)
    assert.equal(looksMissing(pageOf(`<title>How to fix 404 errors</title>${prose.repeat(4)}`), anyUrl), false)
  })

  test('are not those whose address has the number, unless it has nothing else', () => {
    const page = pageOf('<title>Peugeot 404</title><p>A car.')
    for (const [path, isMissing] of [
      ['/cars/peugeot-404', false],
      ['/404-peugeot/photos', false],
      ['/cars/peugeot-403', true],
      ['/404', true],
      ['/errors/404.html', true],
    ] as const)
      assert.equal(looksMissing(page, `https://e.com${path}` as CanonicalUrl), isMissing, path)
    assert.equal(looksMissing(pageOf('<title>Not found</title>'), 'https://e.com/car-404' as CanonicalUrl), true)
  })

  test('two of them are alike though each repeats its own address', () => {
    const one = pageOf('<title>Oops</title><p>Sorry, the page /a/b-1 was not found on this server. Try the search.')
    const two = pageOf('<title>Oops</title><p>Sorry, the page /other/22 was not found on this server. Try the search.')
    assert.equal(areAlike(one, two), true)
    assert.equal(
      areAlike(one, pageOf('<title>Oops</title><p>Our album "Not Found" is out. Hear all songs here.')),
      false,
    )
    assert.equal(areAlike(pageOf(''), pageOf('')), false)
  })

  test('a host is probed by one URL of its own', () => {
    const probe = probeOf('https://e.com/a?b' as CanonicalUrl)
    assert.equal(probe, probeOf('https://e.com/c' as CanonicalUrl))
    assert.equal(isProbe(probe), true)
    assert.equal(isProbe('https://e.com/a' as CanonicalUrl), false)
  })
})

test('how much a page may say and still be asked whether it is missing is counted in characters, whatever its script', () => {
  const url = 'https://a.test/x' as CanonicalUrl
  const missing = (words: number) => {
    const html = Buffer.from(`<title>Новости</title><p>Страница не найдена. ${'слово '.repeat(words)}</p>`)
    return looksMissing(
      readPage(html, { url, contentType: 'text/html; charset=utf-8', config: parseConfig.parse({}) }),
      url,
    )
  }
  assert.deepEqual([100, 800, 900].map(missing), [true, true, false])
})
