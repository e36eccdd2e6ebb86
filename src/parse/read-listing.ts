import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { toUtf8 } from './charset.ts'
import type { ParseConfig } from './config.ts'
import { FeedHandler, readJsonFeed } from './feed.ts'
import { isGzip } from './gzip-opening.ts'
import { ListedUrls, type Listing } from './listing.ts'
import { SitemapHandler } from './sitemap.ts'
import { XmlEvents } from './xml-events.ts'

export interface ListingOptions {
  /** Where it was found: what it lists may be relative to it. */
  readonly url: string
  readonly contentType: string
  /** As its beginning tells. */
  readonly kind: 'sitemap' | 'feed'
  readonly config: Pick<ParseConfig, 'maxSitemapBytes' | 'maxSitemapUrls' | 'maxUrlChars'>
}

const PIECE_BYTES = 65_536
/** So many are read before others have a turn. */
const TURN_BYTES = 16 * PIECE_BYTES

/** What a sitemap or a feed lists. Inflated and read piece by piece; whatever it holds, it never throws. */
export async function readListing(body: Buffer, options: ListingOptions): Promise<Listing> {
  const { url, contentType, kind, config } = options
  const found = new ListedUrls(url, config.maxSitemapUrls, config.maxUrlChars)
  const source: Source = { bytes: 0, isCut: false, maxBytes: config.maxSitemapBytes }
  const pieces = isGzip(body) ? inflated(body, source) : plain(toUtf8(body, contentType).bytes, source)
  await take(pieces, kind, found)
  return { kind, urls: found.urls, isCut: found.isCut || source.isCut }
}

interface Source {
  bytes: number
  isCut: boolean
  readonly maxBytes: number
}

async function take(pieces: AsyncIterable<string>, kind: Listing['kind'], found: ListedUrls): Promise<void> {
  let reader: { write(text: string): void; end(): void } | undefined
  for await (const piece of pieces) {
    reader ??= readerFor(piece, kind, found)
    reader.write(piece)
    if (found.isCut) return
  }
  reader?.end()
}

function readerFor(opening: string, kind: Listing['kind'], found: ListedUrls) {
  const first = opening.trimStart()[0]
  if (kind === 'feed') return first === '{' ? jsonReader(found) : xmlReader(new FeedHandler(found))
  return first === '<' ? xmlReader(new SitemapHandler(found)) : lineReader(found)
}

function xmlReader(handler: SitemapHandler | FeedHandler) {
  const events = new XmlEvents(handler)
  return {
    write: (text: string) => events.write(text),
    end() {
      events.end()
      handler.end()
    },
  }
}

/** One URL in each line. */
function lineReader(found: ListedUrls) {
  let rest = ''
  return {
    write(text: string) {
      const lines = (rest + text).split(/[\r\n]+/)
      rest = lines.pop()!.slice(0, PIECE_BYTES)
      for (const line of lines) found.add(line)
    },
    end: () => found.add(rest),
  }
}

/** Cannot be read piece by piece; longer ones than this are no feeds. */
const MAX_JSON_CHARS = 10 * 1024 * 1024

function jsonReader(found: ListedUrls) {
  let whole = ''
  return {
    write(text: string) {
      if (whole.length <= MAX_JSON_CHARS) whole += text
    },
    end: () => readJsonFeed(whole, found),
  }
}

async function* plain(bytes: Buffer, source: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const end = Math.min(bytes.length, source.maxBytes)
  source.isCut = end < bytes.length
  for (let at = 0; at < end; at += PIECE_BYTES) {
    yield decoder.decode(bytes.subarray(at, Math.min(at + PIECE_BYTES, end)), { stream: true })
    if (at % TURN_BYTES === 0) await nextTurn()
  }
}

async function* inflated(body: Buffer, source: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  gunzip.end(body)
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      source.bytes += piece.length
      source.isCut = source.bytes > source.maxBytes
      if (source.isCut) return
      yield decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    // Broken off, or followed by something else: what came before is good.
    source.isCut = true
  } finally {
    gunzip.destroy()
  }
}
