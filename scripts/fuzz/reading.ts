import { toUtf8 } from '../../src/parse/charset.ts'
import { parseConfig } from '../../src/parse/config.ts'
import { readHtml } from '../../src/parse/html.ts'
import { toMarkdown } from '../../src/parse/markdown.ts'
import { NASTY, NASTY_PIECES } from '../../src/parse/nasty-markup.fixture.ts'
import { parsePage } from '../../src/parse/parse-page.ts'
import { readListing } from '../../src/parse/read-listing.ts'
import { scanHtml } from '../../src/parse/scan-html.ts'
import { buffers, type Part, promise } from './part.ts'

const url = 'https://example.com/dir/page'
const config = parseConfig.parse({})

/** Pages: never an error, text that is text, and the two scanners of one mind. */
export const html: Part = {
  name: 'html',
  corpus: [Buffer.from(NASTY.join('')), ...buffers(...NASTY)],
  words: NASTY_PIECES,
  read(input) {
    const page = parsePage(input, { url, contentType: 'text/html; charset=utf-8', config })
    promise(page.text.isWellFormed() && page.title.isWellFormed(), 'text is valid Unicode')
    promise(Buffer.byteLength(page.text) <= config.maxTextBytes, 'text keeps to its limit')
    for (const link of page.links)
      promise(/^https?:\/\//.test(link.url) && link.text.isWellFormed(), 'links are web URLs')
    const options = { config, allLinks: false, withText: true }
    const [compiled, plain] = [readHtml(input, options), scanHtml(input, options)]
    promise(String(compiled.text) === String(plain.text), 'both scanners read the same text')
    const [ours, theirs] = [compiled, plain].map((document) => JSON.stringify(document.links(document.base(url))))
    promise(ours === theirs, 'both scanners find the same links')
  },
}

export const markdown: Part = {
  ...html,
  name: 'markdown',
  read: (input) => promise(toMarkdown(input, url).isWellFormed(), 'Markdown is valid Unicode'),
}

const TYPES = ['text/html', 'text/html; charset=big5', 'text/html; charset=euc-kr', 'text/plain; charset=iso-2022-jp']

/** Bytes in any encoding become text. */
export const charset: Part = {
  name: 'charset',
  corpus: [
    ...buffers('<meta charset=koi8-r>привет', '<?xml version="1.0" encoding="shift_jis"?>', '\ufeffтекст', 'plain', ''),
    Buffer.from([0xa4, 0xa4, 0xa4, 0xe5, 0xb0, 0xa1, 0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]),
    Buffer.from('\ufeffwide', 'utf16le'),
  ],
  words: [
    '<meta charset=',
    'gb18030>',
    'utf-16>',
    '\x1b$B',
    '\x1b(J',
    'charset=',
    '<?xml encoding="x-user-defined"',
    '"?>',
  ],
  read(input) {
    for (const contentType of TYPES) {
      const { bytes } = toUtf8(input, contentType)
      promise(bytes.toString().isWellFormed(), 'what is decoded is valid Unicode')
      promise(bytes.length <= input.length * 3 + 3, 'what is decoded is at most three times as long')
    }
  },
}

export const sitemap: Part = {
  name: 'sitemap',
  corpus: buffers(
    '<?xml version="1.0"?><urlset xmlns="x"><url><loc>https://a.test/&amp;</loc><lastmod>2026-01-01</lastmod></url></urlset>',
    '<sitemapindex><sitemap><loc><![CDATA[https://a.test/1.xml]]></loc></sitemap></sitemapindex>',
    '<rss><channel><item><link>https://a.test/1</link><guid>x</guid></item></channel></rss>',
    '<feed><entry><link rel="alternate" href="/1"/></entry></feed>',
    'https://a.test/1\nhttps://a.test/2\n',
    '{"version":"https://jsonfeed.org/version/1","items":[{"url":"https://a.test/"}]}',
  ),
  words: [
    '<loc>',
    '</loc>',
    '<url>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&#x41;',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    '<?',
  ],
  async read(input) {
    for (const kind of ['sitemap', 'feed'] as const) {
      const { urls } = await readListing(input, { url, contentType: 'application/xml', kind, config })
      promise(urls.length <= config.maxSitemapUrls, 'no more URLs than the limit')
    }
  },
}
