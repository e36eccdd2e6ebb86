import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { type ParseConfig, parseConfig } from '../config.ts'
import type { HtmlDocument, HtmlOptions } from '../html-document.ts'
import { NASTY, NASTY_PIECES } from '../nasty-markup.fixture.ts'
import type { References } from '../references.ts'
import { scanHtml } from '../scan-html.ts'
import { readHtmlInWasm } from './wasm-html.ts'

/** The scanner in WebAssembly against the one in TypeScript: every field of every document must be the same. */

const config = parseConfig.parse({})
const PAGE = 'https://example.com/dir/page?q#f'

/** Whoever remembers, over all documents of a test, what references with a key led to. */
class Remembered implements References {
  urls: string[] = []
  #maxUrlChars = 0
  #context = ''
  readonly #known = new Map<string, string>()

  begin({ maxUrlChars }: ParseConfig): void {
    this.urls = []
    this.#maxUrlChars = maxUrlChars
  }

  from(origin: string): void {
    this.#context = `${origin} ${this.#maxUrlChars}`
  }

  again(keyLow: number, keyHigh: number): boolean {
    const url = this.#known.get(`${keyLow} ${keyHigh} ${this.#context}`)
    if (url !== undefined) this.urls.push(url)
    return url !== undefined
  }

  take(url: string, keyLow: number, keyHigh: number): void {
    this.urls.push(url)
    if (keyLow !== 0 || keyHigh !== 0) this.#known.set(`${keyLow} ${keyHigh} ${this.#context}`, url)
  }
}

const byWasm = new Remembered()
const byTypeScript = new Remembered()

function handed(document: HtmlDocument, references: Remembered, config: ParseConfig, charset: string) {
  references.begin(config)
  document.hand(document.base(PAGE, charset), references)
  return references.urls
}

function contentOf(document: HtmlDocument) {
  const { metadata, canonicalHref, sitemapHrefs, text } = document
  const { title, description, keywords, publishedAt, declaredLang, robots, openGraph, jsonLd } = metadata
  const base = document.base(PAGE)
  return {
    ...{ title, description, keywords, publishedAt, declaredLang, robots, openGraph, jsonLd },
    ...{ canonicalHref, sitemapHrefs, text: text.toString(), base: base.url, links: document.links(base) },
  }
}

function assertSame(bytes: Buffer, options: HtmlOptions): void {
  const document = readHtmlInWasm(bytes, options)
  assert.ok(document, 'WebAssembly was used')
  const plain = scanHtml(bytes, options)
  assert.deepEqual(contentOf(document), contentOf(plain))
  for (const charset of ['utf-8', 'windows-1252'])
    assert.deepEqual(
      handed(document, byWasm, options.config, charset),
      handed(plain, byTypeScript, options.config, charset),
    )
  assert.deepEqual(
    byWasm.urls,
    document.links(document.base(PAGE, 'windows-1252')).map(({ url }) => url),
  )
}

const WAYS = [true, false].flatMap((withText) => [true, false].map((allLinks) => ({ withText, allLinks })))

function assertSameInAllWays(source: string | Buffer, limits: Partial<ParseConfig> = {}): void {
  for (const way of WAYS)
    for (const withData of [true, false])
      assertSame(Buffer.from(source), { config: { ...config, ...limits }, ...way, withData, withLabels: withData })
}

/** What the lists of nasty markup lack, because only the two scanners must agree on it. */
const PIECES = [
  ...NASTY_PIECES,
  ...[
    '<meta name=description content="a &amp; b">',
    '<meta property=og:title content=T>',
    '<meta name=robots content=x>',
  ],
  ...['<meta http-equiv=refresh content="0;url=/r">', '<html lang=de>', '<time datetime=2020-01-02>', '<time pubdate>'],
  ...['<link rel=canonical href=/c>', '<link rel=alternate hreflang=d&eacute; href=/1>', '<link rel=prev href=/p>'],
  ...['<script type=application/ld+json>{"datePublished":"2020-01-01"}</script>', '<script type=module>', '</script>'],
  ...['<a href=/1?&eacute;>', '<a href=/1?é>', '<a href="/a?b&amp;c ">', '<a href=//h/x>', '<a href=http://h/&#x79;>'],
  ...['<a href=/1 rel=nofollow>', '<a href=/1 rel="no&#102;ollow x">', '<a href=/2 rel="ugc\u00a0nofollow">', '</a>'],
  ...['\u00a0', '&nbsp;', '\u00c2', 'é', '日本', '😀', '\ufeff', '  ', '\n\t\n', '\r', '\x0c', '\x01', '\x7f', 'word '],
  ...[
    '&rarr;',
    '&rarr;',
    '&hearts',
    '&CounterClockwiseContourIntegral;',
    '&NotEqualTilde;',
    '&nGt;',
    '&#160;',
    '&#13;',
  ],
  ...['sixteen bytes ab', 'sixteen  bytes a', 'sixteen bytes a ', ' sixteen bytes b', 'fifteen bytes a\u00a0fifteen b'],
  ...[
    '<p hidden>',
    '<p hidden\0>',
    '<a href\0=/n>',
    '<p HIDDEN=Until-Found>',
    '<font color=x>',
    '<svg/>',
    '<path/>',
    '<td>',
    '<tr>',
    '<table>',
    '</table>',
  ],
]

const bytesOf = (text: string) => Buffer.from(text)
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => bytesOf(pieces.join('')))
const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
const symbols = fc
  .constantFrom(...'<>/!?-="\'& ;#xa[]\0\xa0\xc2\xe2\x82\xf0\n'.split(''))
  .map((c) => Buffer.from(c, 'latin1'))
/** Soup with bytes changed, taken away and put in. */
const broken = fc
  .tuple(soup, fc.array(fc.tuple(fc.nat(), fc.nat(3), symbols), { maxLength: 6 }))
  .map(([source, edits]) => edits.reduce(edited, source))
const documents = fc.oneof(soup, broken, broken, noise)

function edited(source: Buffer, [place, removed, added]: readonly [number, number, Buffer]): Buffer {
  const at = source.length === 0 ? 0 : place % source.length
  return Buffer.concat([source.subarray(0, at), added, source.subarray(at + removed)])
}

const limits = fc.oneof(
  fc.constant({}),
  fc.record({
    maxTextBytes: fc.nat(60),
    maxLinks: fc.nat(4),
    maxAnchorChars: fc.integer({ min: 2, max: 9 }),
    maxUrlChars: fc.nat(40),
  }),
)

const ways = fc.record({
  ...{ withText: fc.boolean(), allLinks: fc.boolean(), withData: fc.boolean(), withLabels: fc.boolean() },
})

for (const source of NASTY)
  test(`both scanners agree on ${JSON.stringify(source).slice(0, 90)}`, () => assertSameInAllWays(source))

test('both scanners agree on nasty markup in random order, broken further, under all limits', () => {
  fc.assert(
    fc.property(documents, limits, ways, (bytes, small, way) =>
      assertSame(bytes, { config: { ...config, ...small }, ...way }),
    ),
    { numRuns: 4000 },
  )
})

const corpus = new URL('../../../../shared/corpus/pages/', import.meta.url)
const skip = existsSync(corpus) ? false : 'the corpus of real pages is not on this machine'
const pageOf = (name: string) => gunzipSync(readFileSync(new URL(name, corpus)))

test('both scanners agree on real pages, whole and cut anywhere', { skip }, () => {
  for (const name of readdirSync(corpus)) {
    const page = pageOf(name)
    assertSame(page, { config, withText: true, allLinks: false })
    assertSame(page.subarray(0, (page.length * 2) / 3), { config, withText: true, allLinks: true })
    assertSame(page.subarray(page.length / 3), { config, withText: false, allLinks: false })
  }
})

test('a document that grows the memory, and short ones before and behind it', () => {
  const long = `<title>long</title>${'<p>word <a href=/x>link</a> &amp; '.repeat(40_000)}`
  for (const source of ['<a href=/1>x', long, '<p>short', '']) assertSameInAllWays(source)
})

test('more links than its first table has room for', () => {
  const source = Array.from({ length: 30_000 }, (_, i) => `<a href=/${i % 17_000}>t${i}</a>`).join('')
  assertSameInAllWays(source)
  assertSameInAllWays(source, { maxLinks: 100_000 })
})

test('references that share a hash', () => {
  const pairs = ['Aa', 'BB']
  const source = Array.from(
    { length: 512 },
    (_, i) => `<a href=/${[...i.toString(2)].map((bit) => pairs[+bit]).join('')}>`,
  )
  assertSameInAllWays([...source, ...source].join('x</a>'))
})

test('a text that is cut between the bytes of a character', () => {
  for (let maxTextBytes = 0; maxTextBytes < 24; maxTextBytes++)
    assertSameInAllWays('<p>a😀 é\n<a href=/1>日本😀x</a> b', { maxTextBytes })
})

test('a character whose bytes a tag parts', () => {
  assertSameInAllWays(Buffer.from('<a href=/1>x\xc2</a>\xa8<a href=/2>\xa8 y</a>', 'latin1'))
})

/** After a name of a tag; all but the first few are read attribute by attribute. */
const ATTRIBUTES = [
  ...[
    ' a="x>y" b',
    ' a="x" b="y>"c="z"',
    ' a="\'"/',
    ' a="x"/',
    ' a/',
    '/',
    '  a\n',
    ' disabled b="<p>"',
    ' it\'s="a>b"',
  ],
  ...[' a=x>y', " a='x>y'", ' a = "x>y"', ' ="x>y"', ' a="b"="c>d"', ' a==“x>y"', ' a="b"c"d>e"', ' a"b="c>d"'],
  ...[' a=b="c>d"', ' a=', ' a= ', ' a=/', ' /="a>b"', ' a="b" "c>d"', ' a=\x01"b>c"', ' \x01="b>c"', ' a="b', ' a'],
  ...[
    ' hidden',
    ' HidDen=""',
    ' hidden="until-found"',
    ' a="b"hidden',
    ' a="hidden"',
    ' data-added="b"',
    ' a="b" hidden ',
  ],
]

test('attributes in all shapes, at all places among 64 bytes', () => {
  const passed = 'z'.repeat(70)
  for (const attributes of ATTRIBUTES)
    for (let before = 0; before < 70; before++) {
      const tag = `<i ${passed.slice(0, before)}${attributes}>`
      assertSameInAllWays(`${tag}one<b c="d">two${tag}</i>three<a href=/1${attributes}>four</a>`)
    }
})

test('metas, links and scripts, of which few are looked at', () => {
  const metas = [
    'description',
    'DESCRIPTION',
    'descriptiom',
    'de&#115;cription',
    ' description',
    'keywords',
    'robots',
    'x',
    '',
  ]
  for (const attribute of ['name', 'property', 'itemprop'])
    for (const meta of [...metas, 'og:title', 'og:titel', 'article:published_time', 'pubdate'])
      assertSameInAllWays(`<meta ${attribute}="${meta}" content="2020-01-02"><meta ${attribute}=viewport content=y>`)
  for (const rel of [
    'stylesheet',
    'StyleSheet',
    'stylesheet next',
    'icon',
    'next',
    'canonical',
    'alternate',
    'preload',
  ])
    assertSameInAllWays(`<link rel="${rel}" href=/1>`)
  for (const type of ['application/ld+json', 'Application/LD+JSON; x', 'application&#47;ld+json', 'application/ld+jso'])
    assertSameInAllWays(`<script type="${type}">{"datePublished":"2020-01-01"}</script>`)
})

test('nesting as deep as the document is long', () => {
  assertSameInAllWays(`${'<b>'.repeat(50_000)}x${'</b>'.repeat(50_000)}`)
  assertSameInAllWays(`${'<svg><desc>'.repeat(300)}x<title>y</title>`)
})

test('a document too long for its memory, and texts of links cut to less than a character, are left to TypeScript', () => {
  const options = { config, withText: false, allLinks: false }
  assert.equal(readHtmlInWasm(Buffer.alloc(16 * 2 ** 20 + 1, 'x'), options), undefined)
  assert.equal(readHtmlInWasm(Buffer.from('x'), { ...options, config: { ...config, maxAnchorChars: 1 } }), undefined)
})
