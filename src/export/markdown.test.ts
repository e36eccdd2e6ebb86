import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import { exportMarkdown, markdownPage } from './markdown.ts'
import { markdownPath } from './markdown-path.ts'
import { recordOf, scanOf } from './record.fixture.ts'

const HOSTILE = [
  'https://example.com/../../etc/passwd',
  'https://example.com/%2e%2e/%2e%2e/x',
  'https://example.com/..%2f..%2fx',
  'https://example.com/a%00b',
  'https://example.com/con',
  'https://example.com/Aux.txt/lpt1',
  'https://example.com/a.md/b',
  'https://example.com/a:b|c*d?e=<f>"',
  'https://example.com/trailing./dots...',
  `https://example.com/${'long'.repeat(500)}`,
  `https://example.com/${'%F0%9F%95%B8'.repeat(200)}`,
  `https://example.com/${'d/'.repeat(300)}x`,
  'https://example.com//%20//',
  'https://example.com/%E0%A4%A',
  'https://example.com/~',
  'https://example.com/-rf',
  'http://[::1]:8080/x',
  'https://nul/x',
  'https://example.com./x',
  'mailto:someone',
  '',
]

function assertSafe(path: string) {
  assert.equal(normalize(path), path)
  assert.ok(!path.startsWith('/') && !path.includes('\\'))
  assert.ok(Buffer.byteLength(path) < 2048)
  for (const name of path.split('/')) {
    assert.ok(Buffer.byteLength(name) <= 255, name)
    assert.doesNotMatch(name, /[<>:"|?*\0-\x1f]|^\.|\.$|^-| $/, name)
    assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i, name)
  }
}

describe('the path of a page', () => {
  it('keeps the shape of a simple URL', () => {
    assert.equal(markdownPath('https://example.com/'), 'example.com/index.md')
    assert.equal(markdownPath('https://example.com/docs/intro.html'), 'example.com/docs/intro.html.md')
    assert.equal(markdownPath('http://example.com:8080/a'), 'example.com@http@8080/a.md')
    assert.match(markdownPath('https://example.com/Stra%C3%9Fe?x=1'), /^example\.com\/Straße-[0-9a-f]{12}\.md$/)
  })

  it('is safe for every hostile URL', () => {
    for (const url of HOSTILE) assertSafe(markdownPath(url))
  })

  it('is safe whatever the path is', () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '%2e%2e', 'nul', 'a.md', '.', '\\', 'c:'),
    )
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        const url = URL.parse(`https://example.com/${segments.join('/')}`)
        if (url) assertSafe(markdownPath(url.href))
      }),
    )
  })

  it('differs between URLs, also where case does not count', () => {
    const urls = [
      '/a',
      '/A',
      '/a/',
      '/a?',
      '/a?b',
      '/a?B',
      '/a.md',
      '/a.md/b',
      '/',
      '/index',
      '/index.md',
      '/%61',
      '/é',
      '/e%CC%81',
      '//a',
    ]
    const all = urls.flatMap((path) => [`https://e.com${path}`, `http://e.com${path}`, `https://e.com:8443${path}`])
    const forged = markdownPath('https://e.com/A').replace('e.com/', 'https://e.com/').replace('.md', '').toLowerCase()
    const paths = new Set([...all, forged].map((url) => markdownPath(url).toLowerCase()))
    assert.equal(paths.size, all.length + 1)
  })
})

describe('export as Markdown', () => {
  it('writes one file a page, and none for a page that asks not to be indexed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-markdown-'))
    try {
      const records = [
        ...HOSTILE.map((url) => recordOf(url)),
        recordOf('https://example.com/secret', { noindex: true }),
      ]
      const done = await exportMarkdown(scanOf(...records), folder, async ({ url }) => `# ${url}`)
      assert.deepEqual(done, { files: HOSTILE.length, skipped: 1 })
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      assert.equal(files.length, HOSTILE.length)
      assert.ok(
        readFileSync(join(folder, markdownPath('https://example.com/con')), 'utf8').endsWith(
          '---\n\n# https://example.com/con\n',
        ),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has front matter that says what the page says, and nothing more', () => {
    for (const title of [
      '---\nforged: true',
      'a: b',
      '"quoted"',
      '- list',
      '{{ template }}',
      '!!js/function',
      '# x',
      'yes',
      '\u2028',
    ]) {
      const page = markdownPage(recordOf('https://e.com/', { title }), 'body')
      const front = parse(page.slice(4, page.indexOf('\n---\n\n')))
      assert.equal(front.title, title)
      assert.equal(front.forged, undefined)
      assert.deepEqual(front.keywords, ['one', 'two'])
    }
  })
})
