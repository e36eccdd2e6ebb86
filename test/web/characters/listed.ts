import { gzipSync } from 'node:zlib'
import { type Answer, plainText, response } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { loosePage, type SiteOptions, site } from '../site.ts'
import { kindsOf } from './kinds.ts'

const ways = ['xml', 'index', 'gzip', 'text', 'rss', 'atom', 'json', 'link'] as const
type Way = (typeof ways)[number]

/**
 * Pages that nothing links to, named by sitemaps and feeds of every form: one page for each. Its robots.txt names the
 * sitemaps, but for one that `<link>` on `/` names; the feeds are linked from `/`.
 */
export const listed: Character = (host, world) => {
  const kinds = kindsOf(host, ways)
  const pageOf = (way: Way) => `/listed/${way}`
  const pages = kinds.map(
    (way): Route => ({ path: pageOf(way), linked: 'nowhere', document: loosePage(host, world, way) }),
  )
  const files = kinds.flatMap((way) => filesOf(way, host.origin + pageOf(way)))
  const routes = files.map(({ path, answer, isFeed }): Route => {
    const contentType = answer.kind === 'response' ? answer.headers['content-type']! : ''
    return { path, linked: isFeed ? 'root' : 'nowhere', answer: () => answer, expect: { kind: 'other', contentType } }
  })
  const named = files.filter(({ isNamed }) => isNamed).map(({ path }) => `Sitemap: ${host.origin}${path}`)
  const head = files.filter(({ isInHead }) => isInHead).map(({ path }) => `<link rel="Sitemap" href="${path}">`)
  const alter: SiteOptions['alter'] = (page, document) => (page > 0 ? document : { ...document, head: head.join('') })
  return {
    ...site(host, world, { routes: [...pages, ...routes], alter }),
    robots: () => plainText(200, ['User-agent: *', 'Disallow: /never/', ...named, ''].join('\n')),
    forbids: (path) => path.startsWith('/never/'),
  }
}

interface File {
  readonly path: string
  readonly answer: Answer
  readonly isNamed?: boolean
  readonly isInHead?: boolean
  readonly isFeed?: boolean
}

function filesOf(way: Way, url: string): readonly File[] {
  const file = (path: string, type: string, body: string | Buffer, more: Partial<File> = { isNamed: true }): File => ({
    path,
    answer: response(200, body, { 'content-type': type }),
    ...more,
  })
  switch (way) {
    case 'xml':
      return [file('/maps/plain.xml', 'application/xml', urlset(url))]
    case 'index':
      return [
        file('/maps/index.xml', 'text/xml', `<sitemapindex><sitemap><loc>inner.xml</loc></sitemap></sitemapindex>`),
        file('/maps/inner.xml', 'text/xml', urlset(url), {}),
      ]
    case 'link':
      return [file('/maps/linked.xml', 'application/xml', urlset(url), { isInHead: true })]
    case 'gzip':
      return [file('/maps/packed.xml.gz', 'application/gzip', gzipSync(urlset(url)))]
    case 'text':
      return [file('/maps/list.txt', 'text/plain', `${url}\n`)]
    case 'rss':
      return [
        file('/feeds/rss', 'application/rss+xml', `<rss><channel><item><link>${url}</link></item></channel></rss>`, {
          isFeed: true,
        }),
      ]
    case 'atom':
      return [
        file('/feeds/atom', 'application/atom+xml', `<feed><entry><link href="${url}"/></entry></feed>`, {
          isFeed: true,
        }),
      ]
    case 'json':
      return [
        file(
          '/feeds/json',
          'application/feed+json',
          JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ url }] }),
          { isFeed: true },
        ),
      ]
    default:
      return way satisfies never
  }
}

function urlset(url: string): string {
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}</loc><priority>0.7</priority></url></urlset>`
}
