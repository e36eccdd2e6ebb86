import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parseConfig } from './config.ts'
import { sniffKind } from './kind.ts'
import { readListing } from './read-listing.ts'

const base = 'https://e.com/maps/sitemap.xml'

async function read(body: string | Buffer, limits = {}, contentType = '') {
  const bytes = Buffer.from(body as string)
  const kind = sniffKind(bytes, contentType)
  assert.ok(kind === 'sitemap' || kind === 'feed', kind)
  return readListing(bytes, { url: base, contentType, kind, config: parseConfig.parse(limits) })
}

const urlsOf = async (body: string | Buffer, limits = {}, contentType = '') =>
  (await read(body, limits, contentType)).urls.map(({ url }) => url)

const urlset = (inner: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`

describe('sitemaps', () => {
  test('a URL comes with what the site says of it', async () => {
    const { kind, urls, isCut } = await read(
      urlset(
        '<url><loc> https://e.com/a?x=1&amp;y=2 </loc><lastmod>2026-05-04</lastmod><changefreq>Daily</changefreq><priority>0.8</priority></url>' +
          '<url><loc><![CDATA[/b]]></loc><priority>7</priority><changefreq>sometimes</changefreq><lastmod>soon</lastmod></url>',
      ),
    )
    assert.equal(kind, 'sitemap')
    assert.equal(isCut, false)
    assert.deepEqual(urls, [
      {
        url: 'https://e.com/a?x=1&y=2',
        isSitemap: false,
        modifiedAt: '2026-05-04T00:00:00.000Z',
        priority: 0.8,
        changes: 'daily',
      },
      { url: 'https://e.com/b', isSitemap: false, modifiedAt: '', priority: null, changes: '' },
    ])
  })

  test('an index names sitemaps, not pages', async () => {
    const { urls } = await read(
      '<sm:sitemapindex xmlns:sm="x"><sm:sitemap><sm:loc>one.xml.gz</sm:loc></sm:sitemap></sm:sitemapindex>',
    )
    assert.deepEqual(
      urls.map(({ url, isSitemap }) => [url, isSitemap]),
      [['https://e.com/maps/one.xml.gz', true]],
    )
  })

  test('the addresses of images and videos are none of pages; other languages are', async () => {
    const found = await urlsOf(
      urlset(
        '<url><loc>/a</loc><image:image><image:loc>/a.jpg</image:loc></image:image><video:video><video:thumbnail_loc>/t</video:thumbnail_loc></video:video><xhtml:link rel="alternate" hreflang="de" href="/de/a"/></url>',
      ),
    )
    assert.deepEqual(found, ['https://e.com/a', 'https://e.com/de/a'])
  })

  test('comments, instructions, unclosed elements and a cut end cost nothing of what came before', async () => {
    const found = await urlsOf(
      '<urlset><!-- <url><loc>/no</loc></url> --><?x <loc>/no?><url><loc>/a</loc><url><loc>/b</loc><lastm',
    )
    assert.deepEqual(found, ['https://e.com/a', 'https://e.com/b'])
  })

  test('an address without its loc counts, and a second loc begins another entry', async () => {
    assert.deepEqual(await urlsOf(urlset('<url>\nhttps://e.com/a&amp;b\n</url><url>some words</url>')), [
      'https://e.com/a&b',
    ])
    assert.deepEqual(await urlsOf(urlset('<url><loc><url><![CDATA[https://e.com/c]]></url></loc></url>')), [
      'https://e.com/c',
    ])
    const { urls } = await read(
      '<sitemapindex><sitemap><loc>/1.xml</loc><lastmod>2026-01-01</lastmod><loc>/2.xml</loc></sitemap></sitemapindex>',
    )
    assert.deepEqual(
      urls.map(({ url, isSitemap, modifiedAt }) => [url, isSitemap, modifiedAt.slice(0, 10)]),
      [
        ['https://e.com/1.xml', true, '2026-01-01'],
        ['https://e.com/2.xml', true, ''],
      ],
    )
  })

  test('a list of URLs as plain text, with any line ends', async () => {
    const list = '\ufeffhttps://e.com/1\r\nhttps://e.com/2\n\nhttps://e.com/3'
    assert.deepEqual(await urlsOf(list, {}, 'text/plain'), ['https://e.com/1', 'https://e.com/2', 'https://e.com/3'])
    assert.equal(sniffKind(Buffer.from('https://e.com/ is a fine site\nhttps://e.com/2'), 'text/plain'), 'text')
  })

  test('gzip as a file, whatever it is called, also broken off', async () => {
    const many = gzipSync(
      urlset(Array.from({ length: 2000 }, (_, i) => `<url><loc>/${i}-${Math.sin(i)}</loc></url>`).join('')),
    )
    for (const type of ['application/gzip', 'application/x-gzip', 'application/octet-stream', 'application/xml', ''])
      assert.equal((await read(many, {}, type)).urls.length, 2000, type)
    const half = await read(many.subarray(0, many.length / 2))
    assert.ok(half.isCut && half.urls.length > 500 && half.urls.length < 2000, String(half.urls.length))
  })

  test('a listing in another charset, and in UTF-16', async () => {
    const text = urlset('<url><loc>https://e.com/käse</loc></url>')
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    assert.deepEqual(await urlsOf(wide, {}, 'application/xml'), ['https://e.com/k%C3%A4se'])
    const latin = Buffer.from(text.replace('1.0"', '1.0" encoding="iso-8859-1"'), 'latin1')
    assert.deepEqual(await urlsOf(latin, {}, 'application/xml'), ['https://e.com/k%C3%A4se'])
  })

  test('no more URLs and bytes than the limits allow, and it is said that there may be more', async () => {
    const many = urlset(Array.from({ length: 100 }, (_, i) => `<url><loc>/${i}</loc></url>`).join(''))
    const few = await read(many, { maxSitemapUrls: 10 })
    assert.deepEqual([few.urls.length, few.isCut], [10, true])
    const short = await read(many, { maxSitemapBytes: 1000 })
    assert.ok(short.isCut && short.urls.length < 40)
    const bomb = gzipSync(`${'<urlset>'}${' '.repeat(5_000_000)}<url><loc>/late</loc></url>`)
    assert.deepEqual(await urlsOf(bomb, { maxSitemapBytes: 1_000_000 }), [])
  })

  test('fifty thousand URLs in fifty megabytes, compressed, in bounded memory', async () => {
    const filler = 'x'.repeat(900)
    const entry = (i: number) => `<url><loc>https://e.com/${i}</loc><news:text>${filler}</news:text></url>`
    const body = gzipSync(urlset(Array.from({ length: 50_000 }, (_, i) => entry(i)).join('')), { level: 1 })
    const before = process.memoryUsage()
    const { urls, isCut } = await read(body)
    const after = process.memoryUsage()
    assert.deepEqual([urls.length, isCut], [50_000, false])
    const grown = after.rss - before.rss
    assert.ok(grown < 100_000_000, `${grown} bytes more`)
  })
})

describe('feeds', () => {
  test('RSS: links of items and of the channel, guids where there is no link', async () => {
    const found = await urlsOf(
      '<rss version="2.0" xmlns:atom="a"><channel><link>/home</link><atom:link rel="self" href="/rss"/><atom:link rel="next" href="/rss?p=2"/>' +
        '<item><title>x</title><link><![CDATA[/1?a=1&b=2]]></link><guid>https://e.com/ignored</guid></item>' +
        '<item><guid>https://e.com/2</guid></item><item><guid isPermaLink="false">https://e.com/no</guid></item>' +
        '<item><guid>tag:4711</guid><media:content url="/no.mp4"/><enclosure url="/no.mp3"/></item></channel></rss>',
    )
    assert.deepEqual(found, [
      'https://e.com/home',
      'https://e.com/rss?p=2',
      'https://e.com/1?a=1&b=2',
      'https://e.com/2',
    ])
  })

  test('Atom: the links of entries, not those to itself, to replies or to files', async () => {
    const { urls } = await read(
      '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/atom"/><link href="/"/><entry><link rel="alternate" href="/1"/><link rel="enclosure" href="/1.mp3"/><updated>2026-01-02T03:04:05Z</updated></entry></feed>',
    )
    assert.deepEqual(
      urls.map(({ url, modifiedAt }) => [url, modifiedAt]),
      [
        ['https://e.com/', ''],
        ['https://e.com/1', '2026-01-02T03:04:05.000Z'],
      ],
    )
  })

  test('RDF, and JSON feeds', async () => {
    assert.deepEqual(await urlsOf('<rdf:RDF xmlns="x"><item rdf:about="/no"><link>/1</link></item></rdf:RDF>'), [
      'https://e.com/1',
    ])
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      items: [{ url: '/1' }, null, 7, { external_url: '/2' }],
    }
    assert.deepEqual(await urlsOf(JSON.stringify(feed), {}, 'application/feed+json'), [
      'https://e.com/1',
      'https://e.com/2',
    ])
    assert.deepEqual(await urlsOf(JSON.stringify(feed).slice(0, -5), {}, 'application/json'), [])
  })
})

describe('hostile listings', () => {
  test('time is linear in the size, whatever it is made of', async () => {
    const pieces = [
      '<',
      '<a "',
      "<a '",
      '<!',
      '<!--',
      '<![CDATA[',
      '<?',
      '&#',
      '<url><loc>',
      '<link ',
      'a ',
      '</url>',
      '"',
    ]
    for (const piece of pieces) {
      const body = `<urlset>${piece.repeat(1_000_000 / piece.length)}`
      const before = process.cpuUsage()
      await read(body)
      const { user } = process.cpuUsage(before)
      assert.ok(user < 1_000_000, `${piece}: ${user} µs for a megabyte`)
    }
    const attributes = `<urlset><xhtml:link ${'a'.repeat(60_000)}/>`.repeat(16)
    const before = process.cpuUsage()
    await read(attributes)
    assert.ok(process.cpuUsage(before).user < 1_000_000)
  })

  test('entities are not expanded, and nothing outside is asked for', async () => {
    const body = Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&b;&x;</loc></url></urlset>',
    )
    const config = parseConfig.parse({})
    const { urls } = await readListing(body, { url: base, contentType: 'text/xml', kind: 'sitemap', config })
    const found = urls.map(({ url }) => url)
    assert.deepEqual(found, ['https://e.com/&b;&x;'])
  })

  test('addresses that are none of the web are left out', async () => {
    const loc = (text: string) => `<url><loc>${text}</loc></url>`
    const bad = ['javascript:alert(1)', 'file:///etc/passwd', 'http://', 'http://[::1', `/${'x'.repeat(5000)}`, '']
    assert.deepEqual(await urlsOf(urlset(bad.map(loc).join(''))), [])
  })

  test('any bytes end in a listing', async () => {
    const word = fc.constantFrom(
      '<url>',
      '<loc>',
      '</loc>',
      '/a',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<',
      '>',
      '&amp;',
      '&#x0;',
      '"',
      '<link href="',
      '\0',
      'é',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 60 }),
        fc.constantFrom('<urlset>', '<rss>', '<feed>'),
        async (words, root) => {
          const listing = await read(root + words.join(''))
          assert.ok(listing.urls.every(({ url }) => /^https?:\/\//.test(url)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
