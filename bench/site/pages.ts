import { escaped } from '../../test/web/html.ts'
import { prose, shuffled } from '../../test/web/prose.ts'
import { random } from '../../test/web/random.ts'
import { joinedAround, type Part, part } from './joined-gzip.ts'
import type { Layout } from './layout.ts'
import { filled, template } from './template.ts'

/** The bytes of every page. What pages have in common is compressed once; what is a page's own, when first asked for. */
export interface Pages {
  /** The parts of the answer, head included, to be sent one after the other. */
  answer(host: number, page: number, gzip: boolean): readonly Buffer[]
  plain(host: number, page: number): Buffer
  /** Makes all answers that may be kept; answers the averages over them. */
  prepare(): Averages
}

export interface Averages {
  readonly plainBytes: number
  readonly gzipBytes: number
  readonly links: number
}

/** A template with its links filled in: the part of a page that others share. */
interface Stock extends Part {
  readonly lang: string
  readonly links: number
}

interface Kept {
  readonly before: Buffer
  readonly after: Buffer
}

const variantsOfDocument = 3
const keptLimitBytes = 96 * 2 ** 20

export function pages(layout: Layout, documents: Iterable<string>, connection: 'keep-alive' | 'close'): Pages {
  const stocks = stocked(layout, documents)
  const kept = new Map<number, Kept>()
  let keptBytes = 0
  const stockOf = (number: number) => stocks[number % stocks.length]!

  function made(host: number, page: number): Kept {
    const number = layout.numberOf(host, page)
    const stock = stockOf(number)
    const { before, after } = joinedAround(part(opening(number, stock.lang)), stock, closing(layout, host, page))
    const length = before.length + stock.deflated.length + after.length
    const head = headOf(length, 'text/html; charset=utf-8', connection, 'Content-Encoding: gzip\r\n')
    const one = compact(head, before, after)
    const bytes = one.before.length + one.after.length
    keptBytes += bytes
    // Forgetting everything is simple, and crawls ask for a page only once.
    if (keptBytes > keptLimitBytes) {
      kept.clear()
      keptBytes = bytes
    }
    kept.set(number, one)
    return one
  }

  function plain(host: number, page: number): Buffer {
    const number = layout.numberOf(host, page)
    const stock = stockOf(number)
    return Buffer.concat([
      Buffer.from(opening(number, stock.lang)),
      stock.plain,
      Buffer.from(closing(layout, host, page)),
    ])
  }

  return {
    plain,
    answer(host, page, gzip) {
      const number = layout.numberOf(host, page)
      if (gzip) {
        const { before, after } = kept.get(number) ?? made(host, page)
        return [before, stockOf(number).deflated, after]
      }
      const body = plain(host, page)
      return [headOf(body.length, 'text/html; charset=utf-8', connection), body]
    },
    prepare() {
      let [count, plainBytes, gzipBytes, links] = [0, 0, 0, 0]
      for (let host = 0; host < layout.hosts; host++)
        for (let page = 0; page < layout.pagesOf(host) && keptBytes < keptLimitBytes * 0.9; page++) {
          const stock = stockOf(layout.numberOf(host, page))
          const { before, after } = made(host, page)
          count++
          plainBytes += after.readUInt32LE(after.length - 4)
          gzipBytes += before.length + stock.deflated.length + after.length
          links += stock.links + layout.ownLinks(host, page).length
        }
      return { plainBytes: plainBytes / count, gzipBytes: gzipBytes / count, links: links / count }
    },
  }
}

/** In memory of their own: a small buffer would hold on to the pool or the chunk that it was cut from. */
function compact(head: Buffer, before: Buffer, after: Buffer): Kept {
  const both = Buffer.allocUnsafeSlow(head.length + before.length + after.length)
  head.copy(both)
  before.copy(both, head.length)
  after.copy(both, head.length + before.length)
  return { before: both.subarray(0, both.length - after.length), after: both.subarray(both.length - after.length) }
}

export function headOf(
  bodyBytes: number,
  contentType: string,
  connection: string,
  further = '',
  status = '200 OK',
): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nServer: bench\r\nContent-Type: ${contentType}\r\nContent-Length: ${bodyBytes}\r\n` +
      `${further}Vary: Accept-Encoding\r\nCache-Control: max-age=600\r\nConnection: ${connection}\r\n\r\n`,
  )
}

/** Documents come one at a time and do not stay: only what is sent is kept. */
function stocked(layout: Layout, documents: Iterable<string>): Stock[] {
  const stocks: Stock[] = []
  for (const document of documents) {
    const shape = template(document)
    const links = shape.pieces.length - 1
    for (let variant = 0; variant < variantsOfDocument; variant++) {
      const hrefs = layout.menuLinks(stocks.length, links).map(layout.pathOf)
      stocks.push({ ...part(filled(shape, hrefs)), lang: shape.lang, links })
    }
  }
  // Else a small site would have only the documents that come first.
  return shuffled(stocks, random('stocks'))
}

function opening(number: number, lang: string): string {
  const { title, description } = prose(['bench head', number], 'en', 0)
  return (
    `<!DOCTYPE html>\n<html lang="${escaped(lang)}"><head><meta charset="utf-8">` +
    `<title>${title} ${number}</title>\n<meta name="description" content="${description}">\n`
  )
}

function closing(layout: Layout, host: number, page: number): string {
  const number = layout.numberOf(host, page)
  const { title, paragraphs } = prose(['bench', number], 'en', 6)
  const links = layout.ownLinks(host, page).map((target) => {
    const path = layout.pathOf(target)
    return `<li class="related"><a href="${path}">${path === '/' ? 'Home' : path.slice(1).replaceAll(/[/-]/g, ' ')}</a></li>`
  })
  return (
    `\n<section class="own"><h2>${title}</h2>\n<p>This is page ${number}.</p>\n` +
    `${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}\n<ul>\n${links.join('\n')}\n</ul></section>\n</body></html>\n`
  )
}
