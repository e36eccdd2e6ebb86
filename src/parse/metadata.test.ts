import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from './config.ts'
import type { Page } from './page.ts'
import { parsePage } from './parse-page.ts'

const config = parseConfig.parse({})

function page(source: string, xRobotsTag?: string | string[]): Page {
  const options = {
    url: 'https://example.com/',
    contentType: 'text/html',
    config,
    ...(xRobotsTag ? { xRobotsTag } : {}),
  }
  return parsePage(Buffer.from(source), options)
}

test('the first title counts, that of an svg does not, Open Graph stands in', () => {
  assert.equal(page('<svg><title>no</title></svg><title>yes</title><title>no</title>').title, 'yes')
  assert.equal(page('<meta property=og:title content="from og"><title> </title>').title, 'from og')
})

test('description and keywords', () => {
  const found = page('<meta name=Description content=" a\n b "><meta name=keywords content="x, y;z,,x , ">')
  assert.equal(found.description, 'a b')
  assert.deepEqual(found.keywords, ['x', 'y', 'z'])
  assert.equal(page('<meta property="og:description" content="og">').description, 'og')
})

test('Open Graph is kept by name, the first value of each, and cannot reach the prototype', () => {
  const found =
    page(`<meta property=og:image content=1><meta property=og:image content=2><meta name=og:type content=article>
    <meta property=__proto__ content=x><meta property="og:__proto__" content=y>`)
  assert.deepEqual(found.openGraph, { 'og:image': '1', 'og:type': 'article', 'og:__proto__': 'y' })
})

test('JSON-LD is kept as it is; what is broken is left out', () => {
  const found =
    page(`<script type="application/ld+json">{"@type":"Article"}</script><script type=application/ld+json>{oops</script>
    <script type="application/ld+json; charset=utf-8">//<![CDATA[
      ["x"] //]]></script><script type=application/json>{"no":1}</script><script type=application/ld+json>"text"</script>`)
  assert.deepEqual(found.jsonLd, [{ '@type': 'Article' }, ['x']])
})

test('JSON-LD that is too deep, too long or too much is left out', () => {
  const block = (json: string) => `<script type=application/ld+json>${json}</script>`
  assert.deepEqual(page(block('['.repeat(100) + ']'.repeat(100))).jsonLd, [])
  assert.deepEqual(page(block(`${'[{"a":'.repeat(10_000)}"\\ud83d"${'}]'.repeat(10_000)}`)).jsonLd, [])
  assert.equal(page(block('['.repeat(64) + ']'.repeat(64))).jsonLd.length, 1)
  assert.equal(page(block(`["${'['.repeat(100)}"]`)).jsonLd.length, 1, 'brackets in a text are no depth')
  assert.deepEqual(page(block(`{"a":"${'x'.repeat(300_000)}"}`)).jsonLd, [])
  assert.equal(page(block('{}').repeat(50)).jsonLd.length, config.maxJsonLdBlocks)
})

test('a type that cannot become a string is none', () => {
  const source = '{"@type":{"toString":1,"valueOf":1},"datePublished":"2024-03-01"}'
  assert.equal(page(`<script type=application/ld+json>${source}</script>`).publishedAt, '2024-03-01T00:00:00.000Z')
})

test('half characters that JSON-LD spells by escapes are mended', () => {
  const [value] = page('<script type=application/ld+json>{"a":"\\ud83d","b":"\\ud83d\\ude00"}</script>').jsonLd
  assert.deepEqual(value, { a: '\ufffd', b: '😀' })
})

for (const [source, expected] of [
  [
    '<script type=application/ld+json>{"@graph":[{"@type":"NewsArticle","datePublished":"2024-03-01T10:00:00+02:00"}]}</script>',
    '2024-03-01T08:00:00.000Z',
  ],
  ['<meta property="article:published_time" content="2024-03-01T10:00:00Z">', '2024-03-01T10:00:00.000Z'],
  ['<meta name=date content=2024-03-01>', '2024-03-01T00:00:00.000Z'],
  ['<meta itemprop=datePublished content="2024-03-01 10:20">', '2024-03-01T10:20:00.000Z'],
  ['<meta name="DC.date.issued" content="2024/3/1">', '2024-03-01T00:00:00.000Z'],
  ['<time datetime="2024-03-01T10:00:00.5-0530">x</time>', '2024-03-01T15:30:00.500Z'],
  [
    '<time datetime=2020-01-01>x</time><time itemprop=datePublished datetime=2024-03-01>x</time>',
    '2024-03-01T00:00:00.000Z',
  ],
  ['<meta name=date content="Sat, 25 Jun 2011 15:00:00 GMT">', '2011-06-25T15:00:00.000Z'],
  ['<meta name=date content="June 25, 2011">', '2011-06-25T00:00:00.000Z'],
  ['<meta name=date content="yesterday"><meta name=pubdate content=2024-03-01>', '2024-03-01T00:00:00.000Z'],
  ['<meta name=date content="2024-02-31">', ''],
  ['<meta name=date content="0001-01-01">', ''],
  ['<meta name=date content="99999">', ''],
  ['<time datetime="PT5M">x</time>', ''],
] as const)
  test(`published ${expected || 'never'}: ${source.slice(0, 90)}`, () => {
    assert.equal(page(source).publishedAt, expected)
  })

for (const [source, expected] of [
  ['<html lang=de>', 'de'],
  ['<html xml:lang="pt_BR">', 'pt-BR'],
  ['<meta http-equiv=Content-Language content="fr, en">', 'fr'],
  ['<meta property=og:locale content=en_US>', 'en-US'],
  ['<html lang="">', ''],
  ['<html lang="!!">', ''],
] as const)
  test(`declared language ${JSON.stringify(expected)}: ${source}`, () => {
    assert.equal(page(source).declaredLang, expected)
  })

const obey = { noindex: false, nofollow: false, unavailableAfter: '' }
const shownUntil = (unavailableAfter: string) => ({ ...obey, unavailableAfter })
for (const [source, headers, expected] of [
  ['<meta name=robots content=noindex>', [], { ...obey, noindex: true }],
  ['<meta name=ROBOTS content=" NoFollow , index">', [], { ...obey, nofollow: true }],
  ['<meta name=robots content=none>', [], { ...obey, noindex: true, nofollow: true }],
  [
    '<meta name=orbweaver content=noindex><meta name=robots content=nofollow>',
    [],
    { ...obey, noindex: true, nofollow: true },
  ],
  ['<meta name=googlebot content=none>', [], obey],
  ['', ['noindex, nofollow'], { ...obey, noindex: true, nofollow: true }],
  ['', ['googlebot: noindex, nofollow'], obey],
  ['', ['googlebot: noindex', 'nofollow'], { ...obey, nofollow: true }],
  ['', ['Orbweaver: noindex'], { ...obey, noindex: true }],
  ['', ['googlebot: none, orbweaver: nofollow'], { ...obey, nofollow: true }],
  [
    '',
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex'],
    { ...shownUntil('2030-06-25T23:00:00.000Z'), noindex: true },
  ],
  [
    '',
    ['unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, nofollow'],
    { ...shownUntil('2030-06-25T15:00:00.000Z'), nofollow: true },
  ],
  [
    '<meta name=robots content="unavailable_after: Tuesday, 25-Jun-30 15:00:00 UTC">',
    [],
    shownUntil('2030-06-25T15:00:00.000Z'),
  ],
  ['<meta name=robots content="unavailable_after:2030-06-25">', [], shownUntil('2030-06-25T00:00:00.000Z')],
  ['', ['unavailable_after: 2031-01-01', 'unavailable_after: 2030-01-01'], shownUntil('2030-01-01T00:00:00.000Z')],
  ['', ['otherbot: unavailable_after: 2030-01-01'], obey],
  ['', ['unavailable_after: someday', 'unavailable_after:'], obey],
  ['', ['*: noindex', 'other-bot: none'], { ...obey, noindex: true }],
  ['', ['max-snippet: 10, nofollow'], { ...obey, nofollow: true }],
  ['<template><meta name=robots content=none></template>', [], obey],
] as const)
  test(`robots are asked for ${JSON.stringify(expected)} by ${source}${headers.join(' | ')}`, () => {
    assert.deepEqual(page(source, [...headers]).robots, expected)
  })

test('a page that was to be shown until a moment before the visit counts as noindex, unless that is not to be obeyed', () => {
  const until = Date.UTC(2030, 0)
  const read = (visitedAt: number, obey = {}) => {
    const config = parseConfig.parse({ obey })
    const source = Buffer.from('<meta name=robots content="unavailable_after: 2030-01-01T00:00:00Z">')
    return parsePage(source, { url: 'https://a.test/', contentType: 'text/html', config, visitedAt }).robots.noindex
  }
  assert.deepEqual([read(until), read(until + 1)], [false, true])
  assert.equal(read(until + 1, { unavailableAfter: false }), false)
  assert.equal(read(until + 1, { metaRobots: false }), false)
  assert.equal(read(until + 1, { noindex: false }), true)
})

test('who does not ask for Open Graph and JSON-LD gets the same title, description, date and language', () => {
  const block = (json: string) => `<script type=application/ld+json>${json}</script>`
  for (const source of [
    '<meta property=og:title content=t><meta property=og:description content=d><meta property=og:locale content=pt_BR>',
    '<meta property=article:published_time content=2024-05-06><meta property=og:image content=x>',
    '<meta property=og:published_time content=2024-05-06>',
    block('{"@type":"Article","datePublished":"2024-05-06"}'),
    block('{"@type":"Article","\\u0064atePublished":"2024-05-06"}'),
    block('{"@type":"Person"}') + block('[{"datePublished":"2023-01-02"}]') + block('{broken'),
    block('{"@type":"Person","name":"datePublished"}'),
  ]) {
    const { openGraph, jsonLd, ...whole } = page(source)
    const options = { url: 'https://example.com/', contentType: 'text/html', config, withData: false }
    const { openGraph: noGraph, jsonLd: noData, ...rest } = parsePage(Buffer.from(source), options)
    assert.deepEqual(rest, whole)
    assert.ok(Object.keys(openGraph).length + jsonLd.length > 0)
    assert.deepEqual([noGraph, noData], [{}, []])
  }
})

test('a name counts however it is written, also where nobody asks for data as such', () => {
  const meta = (name: string) => Buffer.from(`<meta name="${name}" content="said">`)
  for (const name of ['description', 'DESCRIPTION', ' description\n', '&#100;escription', '\u00a0description'])
    for (const withData of [true, false]) {
      const options = { url: 'https://example.com/', contentType: 'text/html', config, withData }
      assert.equal(parsePage(meta(name), options).description, 'said', `${name} ${withData}`)
    }
  // The sign for kelvin is a k when it is small.
  const kelvin = Buffer.from('<meta name="\u212aeywords" content="a,b">')
  const options = { url: 'https://example.com/', contentType: 'text/html', config, withData: false }
  assert.deepEqual(parsePage(kelvin, options).keywords, ['a', 'b'])
  for (const name of ['', 'descriptio', 'descriptions', 'dc..date', 'x'.repeat(100_000)])
    assert.equal(parsePage(meta(name), options).description, '', name.slice(0, 20))
})
