import { parse } from 'parse5'
import { parseConfig } from '../../src/parse/config.ts'
import type { HtmlDocument } from '../../src/parse/html-document.ts'
import { parsePage } from '../../src/parse/parse-page.ts'
import { scanHtml } from '../../src/parse/scan-html.ts'
import { END_OF_INPUT, Scanner } from '../../src/parse/scanner.ts'
import { readHtmlInWasm } from '../../src/parse/wasm/wasm-html.ts'
import type { Stage, Way } from './measure.ts'
import { optional } from './optional.ts'
import type { Sample } from './samples.ts'

const config = parseConfig.parse({})
const CONTENT_TYPE = 'text/html; charset=utf-8'
const withText = { config, allLinks: false, withText: true }
const linksOnly = { config, allLinks: false, withText: false }

export const parsing: Stage = {
  name: 'parse',
  ways: async () => [
    way('ours: WebAssembly, links, text and metadata', ({ body, record }) =>
      read(readHtmlInWasm(body, withText), record.url),
    ),
    way('the same in TypeScript', ({ body, record }) => read(scanHtml(body, withText), record.url)),
    way('with charset and language: the whole of parsePage', ({ body, record }) =>
      parsePage(body, { url: record.url, contentType: CONTENT_TYPE, config }),
    ),
    ...(await htmlparser2(true)),
    way('parse5, tree alone', ({ body }) => parse(body.toString())),
  ],
}

export const linkParsing: Stage = {
  name: 'parse links',
  ways: async () => [
    way('ours: WebAssembly', ({ body, record }) => read(readHtmlInWasm(body, linksOnly), record.url)),
    way('the same in TypeScript', ({ body, record }) => read(scanHtml(body, linksOnly), record.url)),
    way('tokens alone in TypeScript', ({ body }) => countTokens(body)),
    ...(await htmlparser2(false)),
  ],
}

function way(name: string, page: (sample: Sample) => unknown): Way {
  return { name, open: () => ({ page }) }
}

/** All that a crawl asks for. */
function read(document: HtmlDocument | undefined, url: string): unknown {
  if (document === undefined) return undefined
  const { title, description, keywords, publishedAt, openGraph } = document.metadata
  return [document.text, document.links(document.base(url)), title, description, keywords, publishedAt, openGraph]
}

function countTokens(page: Buffer): number {
  const scanner = new Scanner(page)
  let count = 0
  while (scanner.next() !== END_OF_INPUT) count++
  return count
}

interface Htmlparser2 {
  readonly Parser: new (handlers: object) => { write(text: string): void; end(): void }
}

/** The quickest of the parsers in JavaScript: references of `a` and, if asked for, all text outside of scripts and styles. */
async function htmlparser2(text: boolean): Promise<readonly Way[]> {
  const htmlparser = await optional<Htmlparser2>('htmlparser2')
  if (htmlparser === undefined) return []
  const name = text ? 'htmlparser2, references of a and text' : 'htmlparser2, references of a'
  return [way(name, ({ body }) => references(htmlparser, body, text))]
}

function references({ Parser }: Htmlparser2, body: Buffer, text: boolean): unknown {
  const hrefs: string[] = []
  let words = ''
  let hidden = 0
  const isHidden = (name: string) => name === 'script' || name === 'style'
  const parser = new Parser({
    onopentag(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === 'a' && attributes.href !== undefined) hrefs.push(attributes.href)
      if (isHidden(name)) hidden++
    },
    onclosetag(name: string) {
      if (isHidden(name)) hidden--
    },
    ...(text && {
      ontext(data: string) {
        if (hidden === 0) words += data
      },
    }),
  })
  parser.write(body.toString())
  parser.end()
  return [hrefs, words]
}
