import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import { get as httpsGet } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5'
import { corpusFolder, readCorpus } from './corpus.ts'
import { hostName } from './hosts.ts'
import { argumentsOf, readOptions, type SiteOptions } from './options.ts'
import { startSite } from './remote.ts'
import { openSite, type Site } from './site.ts'

const nasty = `<!doctype html><html lang="de"><head><title>Old</title><base href="https://elsewhere.example/">
<link rel="canonical" href="/old"><meta name="robots" content="noindex,nofollow"></head><body>
<!-- <a href="/in-a-comment"> --><script>document.write('<a href="/in-a-script">x</a>')</script>
<a title="a > b" rel="nofollow" href='/one?x=1&y=2'>1</a><A HREF=/two>2</A><a href="#top">top</a><a name="x">no link</a>
<div style="background: URL(/in-a-style)"></div><iframe src="/frame"></iframe><map><area href="/area"></map></body></html>`

function corpusOf(...documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-corpus-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [n, html] of documents.entries()) writeFileSync(join(folder, `${n}.html.gz`), gzipSync(html))
  return folder
}

const options: SiteOptions = {
  pages: 30,
  hosts: 1,
  corpus: corpusOf(nasty, '<p>Short, and <a href=/x>linked</a>'),
  tls: false,
  keepAlive: true,
  latencyMs: undefined,
}

interface Got {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

async function get(site: Site, url: string, headers: Record<string, string> = {}): Promise<Got> {
  const { protocol, hostname, port, pathname } = new URL(url)
  const request = {
    host: '127.0.0.1',
    port,
    path: pathname,
    servername: hostname,
    headers: { host: hostname, ...headers },
  }
  const response = await new Promise<Got>((resolve, reject) => {
    const send = protocol === 'https:' ? httpsGet : httpGet
    send({ ...request, ca: site.caCertificate ?? undefined }, async (reply) => {
      resolve({ status: reply.statusCode, headers: reply.headers, body: await buffer(reply) })
    }).on('error', reject)
  })
  return response
}

/** Every address that a browser would find in a link or a frame, as it stands there. */
function addressesIn(html: string): string[] {
  const found: string[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (defaultTreeAdapter.isElementNode(node))
      for (const { name, value } of node.attrs)
        if (name === 'href' || (name === 'src' && node.tagName === 'iframe')) found.push(value)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(html))
  return found
}

/** Follows links as they are written, without normalising any. */
async function crawled(site: Site, seed: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const queue = [seed]
  const seen = new Set(queue)
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const { status, body } = await get(site, url, { 'accept-encoding': 'gzip' })
    assert.equal(status, 200, url)
    const html = gunzipSync(body).toString()
    pages.set(url, html)
    for (const href of addressesIn(html)) {
      const link = seed.slice(0, -1) + href
      if (seen.has(link)) continue
      seen.add(link)
      queue.push(link)
    }
  }
  return pages
}

test('a crawl that normalises nothing finds exactly the pages there are, whatever the documents contained', async () => {
  await using site = await openSite(options)
  const pages = await crawled(site, site.addressSeed!)
  assert.equal(pages.size, 30)
  const { requests, missing, repeats, otherRequests } = site.visits.counts()
  assert.deepEqual(
    { requests, missing, repeats, otherRequests },
    { requests: 30, missing: 0, repeats: 0, otherRequests: 0 },
  )
})

test('each page has a title and a text of its own, and nothing that speaks for another page', async () => {
  await using site = await openSite(options)
  const pages = [...(await crawled(site, site.addressSeed!)).values()]
  assert.equal(new Set(pages.map((html) => /<title>([^<]+)<\/title>/.exec(html)?.[1])).size, 30)
  assert.equal(new Set(pages.map((html) => /This is page \d+\./.exec(html)?.[0])).size, 30)
  for (const html of pages) assert.doesNotMatch(html, /canonical|noindex|nofollow|<base|href="\/in-a-|url\(|Old/i)
})

test('a page that comes compressed is the one that comes plain', async () => {
  await using site = await openSite({ ...options, pages: 7 })
  for (let page = 0; page < 7; page++) {
    const url = site.addressSeed!.slice(0, -1) + site.layout.pathOf(page)
    const packed = await get(site, url, { 'accept-encoding': 'br, gzip' })
    const plain = await get(site, url, { 'accept-encoding': 'br' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.deepEqual(gunzipSync(packed.body), plain.body)
    assert.deepEqual(plain.body, site.pages.plain(0, page))
  }
})

test('invented pages weigh, link and compress like real ones', async () => {
  await using site = await openSite({ ...options, corpus: 'none', pages: 120 })
  const { plainBytes, gzipBytes, links } = site.averages
  assert.ok(plainBytes > 90_000 && plainBytes < 115_000, `${plainBytes} bytes`)
  assert.ok(plainBytes / gzipBytes > 4 && plainBytes / gzipBytes < 6, `${plainBytes / gzipBytes} times smaller`)
  assert.ok(links > 100 && links < 150, `${links} links`)
  const counted = Array.from({ length: 120 }, (_, page) => addressesIn(site.pages.plain(0, page).toString()).length)
  assert.equal(counted.reduce((sum, count) => sum + count) / 120, links)
})

test('hosts share the pages among them, and each leads to all of its own', async () => {
  await using site = await openSite({ ...options, pages: 11, hosts: 4 })
  const sizes: number[] = []
  for (const seed of site.seeds) sizes.push((await crawled(site, seed)).size)
  assert.deepEqual(sizes, [3, 3, 3, 2])
  assert.equal(site.visits.counts().missing, 0)
  const resolver = new Resolver()
  resolver.setServers([site.dns])
  assert.match((await resolver.resolve4(hostName(3)))[0]!, /^127\./)
  await assert.rejects(resolver.resolve4(hostName(4)), { code: 'ENOTFOUND' })
})

test('it counts repeats, robots.txt and what does not exist, and forgets them when told', async () => {
  await using site = await openSite({ ...options, pages: 3 })
  const home = site.addressSeed!
  const robots = await get(site, `${home}robots.txt`)
  assert.equal(robots.body.toString(), 'User-agent: *\nAllow: /\n')
  for (const path of ['', '', '', 'nothing', 'nothing-1']) await get(site, home + path)
  const counts = site.visits.counts()
  assert.deepEqual(
    [counts.requests, counts.pages, counts.repeats, counts.missing, counts.robots, counts.others],
    [6, 1, 2, 2, 1, { '/nothing': 1, '/nothing-1': 1 }],
  )
  site.visits.reset()
  assert.equal(site.visits.counts().requests, 0)
})

test('with TLS it shows a certificate for each host, and closes connections when it keeps none', async () => {
  await using site = await openSite({ ...options, pages: 4, hosts: 2, tls: true, keepAlive: false })
  for (const seed of site.seeds) {
    const { status, headers } = await get(site, seed)
    assert.deepEqual([status, headers.connection], [200, 'close'])
  }
  assert.equal(site.visits.counts().connections, 2)
})

test('fewer pages than hosts are refused', async () => {
  await assert.rejects(openSite({ ...options, pages: 3, hosts: 4 }), /too few/)
})

test('a corpus that is named must be there; the heaviest pages are left out until the rest is of average weight', () => {
  assert.throws(() => corpusFolder('/no/such/folder'), /there is no folder/)
  assert.throws(() => corpusFolder(corpusOf()), /holds no \*\.html\.gz/)
  const sizes = [400_000, 1000, 150_000, 100_000].map((bytes) => 'x'.repeat(bytes))
  assert.deepEqual(
    [...readCorpus(corpusOf(...sizes))].map(({ length }) => length),
    [1000, 100_000, 150_000],
  )
})

test('options can be said in full and read back', () => {
  const said = { ...options, hosts: 7, tls: true, keepAlive: false, latencyMs: { min: 20, max: 5000 } }
  assert.deepEqual(readOptions(argumentsOf(said)), { ...said, attached: false })
  for (const wrong of ['--pages=0', '--hosts=x', '--latency-ms=9-1', '--latency-ms=20'])
    assert.throws(() => readOptions([wrong]), RangeError)
})

test('a site in a process of its own says where it is, and ends when told', async () => {
  const { corpus } = options
  const site = await startSite({ pages: 3, hosts: 2, corpus, latencyMs: { min: 0, max: 5 } })
  assert.deepEqual([site.seeds.length, site.pages, site.corpus, site.caCertificate], [2, 3, corpus, null])
  await (await fetch(site.addressSeed!)).text()
  assert.equal((await site.counts()).pages, 1)
  const [first] = await site.hostPaces()
  assert.deepEqual([first?.host, first?.requests, first?.minGapMs], [hostName(0), 1, null])
  assert.ok((await site.cpuMs()) > 0)
  await site.reset()
  assert.equal((await site.counts()).requests, 0)
  await site[Symbol.asyncDispose]()
  assert.throws(() => process.kill(site.pid, 0), { code: 'ESRCH' })
})
