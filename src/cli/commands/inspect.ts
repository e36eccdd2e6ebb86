import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../../clock.ts'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { UsageError } from '../../config/usage-error.ts'
import { systemResolver } from '../../dns/adapters/system/system-resolver.ts'
import { cachingResolver } from '../../dns/caching-resolver.ts'
import { httpFetcher } from '../../fetch/http/http-fetcher.ts'
import { header } from '../../fetch/outcome.ts'
import { toUtf8 } from '../../parse/charset.ts'
import { toMarkdown } from '../../parse/markdown.ts'
import { wholePage } from '../../parse/whole-page.ts'
import type { CanonicalUrl } from '../../url/keys.ts'
import type { Command } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'

interface Document {
  readonly body: Buffer
  readonly url: string
  readonly contentType: string
}

export const inspect: Command = {
  name: 'inspect',
  usage: 'FILE|URL… [--url BASE] [--content-type TYPE]',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'what parsing a page yields, as JSON',
  isLocal: true,
  details: 'Prints one JSON value for each page; with --json each on one line.',
  flags: {
    url: { type: 'string', value: 'BASE', help: 'where a file was found: links are relative to it' },
    'content-type': { type: 'string', value: 'TYPE', help: 'as its server called it' },
  },
  async run(invocation) {
    const { args, given, json, terminal } = invocation
    if (args.length === 0)
      throw new UsageError('Name a file or a URL: `orbweaver inspect page.html --url https://example.com/`.')
    const { config } = loadConfig(sourcesOf(invocation))
    for (const file of args) {
      const document = /^https?:\/\//i.test(file) ? await fetchDocument(file, config) : readDocument(file)
      const url = String(given.url ?? document.url)
      const contentType = String(given['content-type'] ?? document.contentType)
      const page = await wholePage(document.body, { url, contentType, config: config.parse, allLinks: true })
      const markdown = page.kind === 'html' ? toMarkdown(toUtf8(document.body, contentType).bytes, url) : page.text
      const { kind, title, description, keywords, lang, charset, canonical, publishedAt, robots, sitemaps, text } = page
      const links = page.links.map(({ url, rel, text }) => ({ url, rel, text }))
      const found = {
        file,
        kind,
        title,
        description,
        keywords,
        lang,
        charset,
        canonical,
        publishedAt,
        robots,
        links,
        sitemaps,
        text,
        markdown,
      }
      terminal.print(JSON.stringify(found, null, json ? undefined : 2))
    }
    return 0
  },
}

function readDocument(file: string): Document {
  try {
    return { body: readFileSync(file), url: pathToFileURL(file).href, contentType: '' }
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

async function fetchDocument(url: string, config: Config): Promise<Document> {
  const clock = systemClock()
  await using resolver = cachingResolver(systemResolver(config.dns), clock, config.dns)
  await using fetcher = httpFetcher({ resolver, clock, config: config.fetch, allowPrivate: () => true })
  const outcome = await fetcher.fetch(url as CanonicalUrl)
  if (outcome.kind === 'failed') throw new UsageError(`${url} cannot be fetched: ${outcome.code}, ${outcome.detail}.`)
  const { body, headers } = outcome.exchange
  return { body, url, contentType: header(headers, 'content-type') ?? '' }
}
