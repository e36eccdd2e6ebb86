import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseConfig } from './config.ts'
import { toMarkdown } from './markdown.ts'
import type { Page } from './page.ts'
import { type ParseOptions, parsePage, readPage } from './parse-page.ts'

const config = parseConfig.parse({})

function page(source: string | Buffer, options: Partial<ParseOptions> = {}): Page {
  return parsePage(Buffer.from(source), {
    url: 'https://example.com/dir/page',
    contentType: 'text/html',
    config,
    ...options,
  })
}

test('a long text is handed on as the bytes that it was read as, unless they are broken', () => {
  const url = 'https://example.com/'
  const words = 'a word '.repeat(300)
  for (const contentType of ['text/html; charset=utf-8', 'text/plain; charset=utf-8']) {
    const { text } = readPage(Buffer.from(words), { url, contentType, config })
    assert.ok(typeof text !== 'string')
    assert.equal(text.bytes.toString(), words.trim())
    const broken = readPage(Buffer.concat([Buffer.from(words), Buffer.of(0xff)]), { url, contentType, config })
    assert.ok(broken.text.toString().isWellFormed())
  }
})

test('a page in full', () => {
  const found = page(`<!doctype html><html lang="en-GB"><head><title> The
    title &amp; more </title><meta name=description content="What it is">
    <link rel=canonical href=/canonical><base href=/base/></head>
    <body><h1>Heading</h1><p>Some  text with <a href=link rel="external noopener">an <b>anchor</b></a>.</p><script>no</script>`)
  assert.equal(found.kind, 'html')
  assert.equal(found.charset, 'utf-8')
  assert.equal(found.title, 'The title & more')
  assert.equal(found.description, 'What it is')
  assert.equal(found.canonical, 'https://example.com/canonical')
  assert.equal(found.declaredLang, 'en-GB')
  assert.equal(found.lang, 'en')
  assert.equal(found.text, 'Heading\nSome text with an anchor.')
  assert.deepEqual(found.links, [
    { url: 'https://example.com/base/link', kind: 'a', rel: 'external noopener', text: 'an anchor' },
  ])
})

test('a page in the charset that it names', () => {
  const body = Buffer.concat([
    Buffer.from('<meta charset=windows-1251><title>'),
    Buffer.from([0xcf, 0xf0]),
    Buffer.from('</title>'),
  ])
  assert.deepEqual([page(body).title, page(body).charset], ['Пр', 'windows-1251'])
})

test('without text there are links, title and directives, but no text', () => {
  const found = page('<title>T</title><meta name=robots content=noindex><p>text<a href=/x>y</a>', { withText: false })
  assert.deepEqual([found.title, found.text, found.robots.noindex], ['T', '', true])
  assert.deepEqual(found.links, [{ url: 'https://example.com/x', kind: 'a', rel: '', text: '' }])
})

test('plain text keeps its lines', () => {
  const found = page('one  two\r\n\r\nthree <b>\n', { contentType: 'text/plain; charset=utf-8' })
  assert.deepEqual([found.kind, found.text, found.links], ['text', 'one two\nthree <b>', []])
})

test('what is not parsed has its kind and the directives of the header', () => {
  const found = page(Buffer.from('%PDF-1.7 ...'), { contentType: 'application/pdf', xRobotsTag: 'noindex' })
  assert.deepEqual(
    [found.kind, found.text, found.robots],
    ['pdf', '', { noindex: true, nofollow: false, unavailableAfter: '' }],
  )
})

test('every field is cut at its limit, between characters', () => {
  const long = '😀'.repeat(3000)
  const links = Array.from({ length: 12_000 }, (_, i) => `<a href=/${i}>${long.slice(0, 300)}</a>`).join('')
  const found = page(
    `<title>x${long}</title><meta name=description content="x${long}"><meta name=keywords content="${'k,'.repeat(9)}${Array.from(
      { length: 99 },
      (_, i) => `key${i}`,
    )}">${links}`,
  )
  assert.equal(found.title.length, 499)
  assert.equal(found.description.length, 1999)
  assert.equal(found.keywords.length, 50)
  assert.equal(found.links.length, 10_000)
  assert.equal(found.links[0]!.text.length, 200)
  assert.ok(Buffer.byteLength(found.text) <= 1_000_000)
  for (const text of [found.title, found.description, found.links[0]!.text, found.text]) assert.ok(text.isWellFormed())
  assert.ok(!found.text.includes('\ufffd'))
})

/** Everything that hostile input may try to grow, hang or break. */
const HOSTILE: Record<string, string> = {
  'unclosed tags': '<div '.repeat(60_000),
  'unclosed comments': '<!--'.repeat(80_000),
  'comments that nearly end': `<!--${'--!x'.repeat(80_000)}`,
  'unclosed titles': '<title>'.repeat(40_000),
  'unclosed scripts': '<script>'.repeat(40_000),
  'escaped scripts': '<script><!--<script>'.repeat(20_000),
  'deep nesting': '<div>'.repeat(60_000) + '</div>'.repeat(50_000),
  'deep spans and foreign ends': `<p><table><td>${'<b>'.repeat(50_000)}${'</p></i></td>'.repeat(20_000)}`,
  'deep lists': '<ul><li>x'.repeat(30_000),
  'deep quotes': '<blockquote>x'.repeat(25_000),
  'deep tables': '<table><tr><td>x'.repeat(20_000),
  'wide tables': `<table><tr>${'<td>x'.repeat(60_000)}<tr><td>y`,
  'deep svg': '<svg><foreignObject>'.repeat(15_000) + '</svg></desc>'.repeat(10_000),
  'a hundred thousand attributes': `<a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')} href=/x>`,
  'equal attributes': `<a ${'href=/x '.repeat(40_000)}>`,
  'long attribute': `<a href="${'a'.repeat(300_000)}">`,
  'long entity': `&${'a'.repeat(300_000)};`,
  'entities that nearly are': '&notin'.repeat(50_000),
  'long number': `&#${'9'.repeat(300_000)};`,
  'less-than signs': '<'.repeat(300_000),
  ampersands: '&'.repeat(300_000),
  'white space': ' '.repeat(300_000),
  'white space in JSON-LD': `<script type=application/ld+json>${' '.repeat(250_000)}x</script>`,
  'deep JSON-LD': `<script type=application/ld+json>${'['.repeat(100_000)}</script>`,
  'white space in refresh': `<meta http-equiv=refresh content="${'1'.repeat(50_000)}${' '.repeat(200_000)}x">`,
  'white space in rel': `<a rel="${' '.repeat(250_000)}x" href=/x>`,
  nulls: '\0'.repeat(300_000),
  'processing instructions': '<?'.repeat(150_000),
  'end tags': '</'.repeat(150_000),
  'many metas': '<meta name=description content=x property=og:x itemprop=y http-equiv=refresh>'.repeat(4000),
  backticks: '<code>`'.repeat(40_000),
  emphasis: '<b><i>x'.repeat(40_000),
  'links with blocks': '<a href=/x><h1>x</h1>'.repeat(15_000),
  'comments before the root': '<!---->'.repeat(40_000),
}

for (const [name, source] of Object.entries(HOSTILE))
  test(`hostile input ends in time linear in its size: ${name}`, { timeout: 20_000 }, () => {
    const found = page(source)
    assert.ok(found.text.isWellFormed())
    assert.ok(toMarkdown(Buffer.from(source), 'https://example.com/').isWellFormed())
  })

const markup = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '"',
    "'",
    '=',
    '&',
    ';',
    '#',
    '/',
    '\0',
    '\ufeff',
    'é',
    '\x1b$B',
  ],
  ...[
    'script',
    'style',
    'title',
    'a href=',
    'svg',
    'math',
    'template',
    'table',
    'td',
    'li',
    'p',
    'pre',
    'code',
    'meta ',
  ],
  ...[
    'charset=',
    'koi8-r',
    'utf-16',
    'http-equiv=refresh ',
    'content=',
    'property=og:title ',
    'name=robots ',
    ' hidden ',
  ],
)
const anything = fc.oneof(
  fc.array(fc.oneof(markup, fc.string({ maxLength: 5 }))).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
)

test('no input makes it throw, and all text that comes out is valid Unicode', () => {
  const types = fc.constantFrom(
    'text/html',
    'text/html; charset=shift_jis',
    'text/plain',
    '',
    'application/xml',
    'nonsense',
  )
  fc.assert(
    fc.property(anything, types, fc.boolean(), (body, contentType, allLinks) => {
      const found = page(body, { contentType, allLinks })
      assert.ok(JSON.stringify(found).isWellFormed())
      assert.ok([found.title, found.text, ...found.links.map((link) => link.text)].every((text) => text.isWellFormed()))
      for (const link of found.links) assert.match(link.url, /^https?:\/\//)
      assert.ok(toMarkdown(body, 'https://example.com/').isWellFormed())
    }),
    { numRuns: 3000 },
  )
})
