import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../src/parse/config.ts'
import { sniffKind } from '../src/parse/kind.ts'
import { readListing } from '../src/parse/read-listing.ts'
import { type Suite, Tally } from './suite.ts'

const TESTS = 'src/test/java/crawlercommons/sitemaps/SiteMapParserTest.java'

const ANYWHERE =
  'a sitemap may name URLs outside of its folder: the scope of the crawl decides about them, not the sitemap'
const FEEDS =
  'all links of a feed are taken: to its site, and every alternate of an entry, not the first link of entries only'
const ENTITY = 'an entity is never expanded, and its name is a relative URL like others'

const config = parseConfig.parse({})

/** How many URLs are found in sitemaps, indexes and feeds, sound and broken, by the tests of crawler-commons. */
export const otherSitemaps: Suite = {
  title: 'Sitemaps and feeds: the tests of crawler-commons',
  subject: '`src/parse/read-listing.ts`',
  repository: 'crawler-commons/crawler-commons',
  commit: '8e14e27cad529a35ee57010fbd63a91cfcfa3fcc',
  paths: [TESTS, 'src/test/resources'],
  async run(folder) {
    const tally = new Tally()
    const methods = methodsOf(readFileSync(join(folder, TESTS), 'utf8'))
    const programs = [...methods].filter(([, body]) => body.includes('getXMLSitemapAsBytes('))
    for (const [name, body] of methods)
      if (name.startsWith('test') && !body.includes('getXMLSitemapAsBytes('))
        for (const one of casesIn(body, folder)) await check(tally, name, one)
    tally.notes.push('A case is a number of URLs that a test expects; which ones is left to tests of our own.')
    tally.notes.push(`${programs.length} tests make their sitemap by a program, and are not run.`)
    return tally
  },
}

interface SitemapCase {
  readonly content: Buffer
  readonly url: string
  readonly contentType: string
  readonly expected: number
}

async function check(tally: Tally, name: string, { content, url, contentType, expected }: SitemapCase): Promise<void> {
  const kind = sniffKind(content, contentType) === 'feed' ? 'feed' : 'sitemap'
  const { urls } = await readListing(content, { url, contentType, kind, config })
  const why = kind === 'feed' ? FEEDS : name.includes('XXE') ? ENTITY : name.includes('Lenient') ? ANYWHERE : undefined
  const reason = urls.length > expected ? why : undefined
  tally.check(urls.length === expected, `${name}: ${expected} URLs, found ${urls.length}`, reason)
}

/** Bodies of methods, by name. */
function methodsOf(source: string): Map<string, string> {
  const found = source.matchAll(/^ {4}(?:public|private|protected)[\w <>[\]]* (\w+)\([^)]*\)[^{;]*\{\n(.*?)^ {4}\}/gms)
  return new Map([...found].map(([, name, body]) => [name!, body!]))
}

const STEP =
  /(new StringBuilder)|append\((.*?)\)\s*(?=[.;]|\/\/)|getResourceAsBytes\("([^"]+)"\)|new URI\("([^"]+)"\)|contentType = "([^"]+)"|assertEquals\((\d+), [^;]*?(?:getSiteMapUrls|getSitemaps)\(\)\.size\(\)/gs

/** Reads a test from top to bottom: what is put together, and how many URLs are expected of it. */
function* casesIn(body: string, folder: string): Generator<SitemapCase> {
  let content = Buffer.alloc(0) as Buffer
  let url = 'http://www.example.com/sitemap.xml'
  let contentType = 'text/xml'
  for (const [, isNew, appended, resource, uri, type, expected] of body.matchAll(STEP)) {
    if (isNew) content = Buffer.alloc(0)
    else if (appended !== undefined) content = Buffer.concat([content, Buffer.from(literals(appended))])
    else if (resource !== undefined) content = readFileSync(join(folder, resource))
    else if (uri !== undefined) url = uri
    else if (type !== undefined) contentType = type
    else if (expected !== undefined && content.length > 0)
      yield { content, url, contentType, expected: Number(expected) }
  }
}

function literals(source: string): string {
  const texts = source.matchAll(/"((?:[^"\\]|\\.)*)"/g)
  return [...texts].map(([text]) => JSON.parse(text) as string).join('')
}
