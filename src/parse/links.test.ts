import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from './config.ts'
import { refreshTarget } from './link-elements.ts'
import { parsePage } from './parse-page.ts'

const config = parseConfig.parse({})

function links(source: string, allLinks = false) {
  const options = { url: 'https://example.com/dir/page', contentType: 'text/html', config, allLinks }
  return parsePage(Buffer.from(source), options).links
}

const urls = (source: string, allLinks = false) => links(source, allLinks).map((link) => link.url)

test('links come from a, area, iframe, frame, link and refresh, and say so', () => {
  const found = links(`<link rel=next href=/next><link rel=prev href=/prev><link rel=alternate hreflang=de href=/de>
    <meta http-equiv=refresh content="5; url=/refresh"><a href=/a>x</a><area href=/area><iframe src=/iframe></iframe>`)
  assert.deepEqual(
    found.map(({ kind, url }) => `${kind} ${new URL(url).pathname}`),
    ['next /next', 'prev /prev', 'alternate /de', 'refresh /refresh', 'a /a', 'area /area', 'iframe /iframe'],
  )
  assert.equal(found[2]!.text, 'de')
})

test('forms, images, scripts and style sheets are no links', () => {
  assert.deepEqual(
    urls('<form action=/f><img src=/i><script src=/s></script><link rel=stylesheet href=/c><video src=/v>'),
    [],
  )
})

test('alternates for programs are no links, feeds are', () => {
  const source = `<link rel=alternate type="application/json+oembed" href=/oembed><link rel=alternate type=application/json href=/json>
    <link rel=alternate type=application/rss+xml href=/feed>`
  assert.deepEqual(urls(source), ['https://example.com/feed'])
})

test('links with rel=nofollow, ugc or sponsored are left out, or noted where all are asked for', () => {
  const source =
    '<a rel="NOFOLLOW external" href=/1>x</a><a rel="sponsored ugc" href=/2>y</a><a rel=nofollower href=/3>z</a>'
  assert.deepEqual(urls(source), ['https://example.com/3'])
  assert.deepEqual(
    links(source, true).map((link) => link.rel),
    ['nofollow external', 'sponsored ugc', 'nofollower'],
  )
})

test('which words of rel count is a setting, and so is whether a page may ask for nofollow', () => {
  const source = `<meta name=robots content=none>
    <a rel=nofollow href=/1>x</a><a rel=ugc href=/2>y</a><a rel=sponsored href=/3>z</a>`
  const read = (obey: object) => {
    const options = { url: 'https://example.com/', contentType: 'text/html', config: parseConfig.parse({ obey }) }
    const { links: found, robots } = parsePage(Buffer.from(source), options)
    return [robots.noindex, ...found.map(({ url }) => new URL(url).pathname)]
  }
  assert.deepEqual(read({}), [true])
  assert.deepEqual(read({ nofollow: false }), [true])
  assert.deepEqual(read({ nofollow: false, rel: ['ugc'] }), [true, '/1', '/3'])
  assert.deepEqual(read({ metaRobots: false, rel: ['nofollow', 'sponsored'] }), [false, '/2'])
  assert.deepEqual(read({ noindex: false, nofollow: false, rel: [] }), [false, '/1', '/2', '/3'])
})

test('a page that asks robots not to follow yields no links, unless all are asked for', () => {
  const source = '<meta name=robots content="index, nofollow"><a href=/1>x</a>'
  assert.deepEqual(urls(source), [])
  assert.equal(urls(source, true).length, 1)
})

test('a reference that repeats is taken once, with the first text it has', () => {
  const source = '<a href=/1><img src=i></a><a href=/1>text</a><a href=/1>other</a>'
  assert.deepEqual(links(source), [{ url: 'https://example.com/1', kind: 'a', rel: '', text: 'text' }])
  assert.equal(links(source, true).length, 3)
})

test('a nofollow link does not hide a later one without it', () => {
  assert.deepEqual(urls('<a rel=nofollow href=/1>x</a><a href=/1>y</a>'), ['https://example.com/1'])
})

test('the text of a link ends with it, and is cut', () => {
  const [first, second, third] = links(`<a href=/1>one</a> not <a href=/2>two <a href=/3>${'x'.repeat(300)}`)
  assert.equal(first!.text, 'one')
  assert.equal(second!.text, 'two')
  assert.equal(third!.text.length, 200)
})

test('blocks inside a link part its words', () => {
  assert.equal(links('<a href=/1><h2>Head</h2><p>body</p></a>')[0]!.text, 'Head body')
})

test('many references are not more than the limit', () => {
  const source = Array.from({ length: 30_000 }, (_, i) => `<a href=/${i}>`).join('')
  assert.equal(links(source).length, config.maxLinks)
  assert.equal(links(source, true).length, config.maxLinks)
})

for (const [content, target] of [
  ['5; url=/x', '/x'],
  ['0;URL="/x"', '/x'],
  ["0,url='/x'y", '/x'],
  ['0 url=/x', '/x'],
  ['1.5;/x', '/x'],
  [' 3 ;  url = /x ', '/x'],
  ['5', ''],
  ['url=/x', ''],
  ['', ''],
] as const)
  test(`a refresh of ${JSON.stringify(content)} leads to ${JSON.stringify(target)}`, () => {
    assert.equal(refreshTarget(content), target)
  })

test('sitemaps that a page names are told apart from its links, a few of them, and none of a page that asks for nofollow', () => {
  const read = (source: string) => {
    const { sitemaps, links } = parsePage(Buffer.from(source), { url: 'https://e.com/a/b', contentType: '', config })
    return [sitemaps, links.length]
  }
  const head = '<!doctype html><base href="/maps/"><link rel="SITEMAP" type="application/xml" href="one.xml">'
  assert.deepEqual(read(head), [['https://e.com/maps/one.xml'], 0])
  assert.deepEqual(read('<!doctype html><link rel=sitemap href="http://["><link rel=sitemap>'), [[], 0])
  assert.deepEqual(read(`${head}<meta name=robots content=nofollow>`), [[], 0])
  assert.deepEqual(read(`<!doctype html>${'<link rel=sitemap href=x>'.repeat(100)}`), [
    Array(10).fill('https://e.com/a/x'),
    0,
  ])
})
