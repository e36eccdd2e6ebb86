import { plainText } from '../answer.ts'
import type { DocumentOptions } from '../document.ts'
import type { Character, Route } from '../host.ts'
import { loosePage, site } from '../site.ts'

interface Sign {
  readonly path: string
  readonly head?: string
  readonly tag?: string
  readonly noindex?: boolean
  readonly nofollow?: boolean
}

const signs: readonly Sign[] = [
  { path: '/meta/noindex', head: '<meta name="robots" content="noindex">', noindex: true },
  { path: '/meta/nofollow', head: '<META NAME="ROBOTS" CONTENT="NoFollow">', nofollow: true },
  { path: '/meta/none', head: '<meta name="robots" content="none">', noindex: true, nofollow: true },
  {
    path: '/meta/both',
    head: '<meta content="noarchive, noindex , nofollow" name=robots>',
    noindex: true,
    nofollow: true,
  },
  { path: '/meta/named', head: '<meta name="orbweaver" content="noindex">', noindex: true },
  { path: '/meta/others', head: '<meta name="googlebot" content="noindex, nofollow">' },
  {
    path: '/meta/over',
    head: '<meta name="robots" content="unavailable_after: 25 Jun 2010 15:00:00 PST">',
    noindex: true,
  },
  { path: '/meta/lasting', head: '<meta name="robots" content="unavailable_after: 2199-12-31">' },
  { path: '/header/over', tag: 'unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, max-snippet: 5', noindex: true },
  { path: '/header/noindex', tag: 'noindex', noindex: true },
  { path: '/header/nofollow', tag: 'nofollow', nofollow: true },
  { path: '/header/named', tag: 'orbweaver: noindex', noindex: true },
  { path: '/header/others', tag: 'otherbot: noindex, nofollow' },
]

/** Pages that ask not to be indexed or followed, in the page or in its headers, and links with rel=nofollow. */
export const robotsMeta: Character = (host, world) => {
  const routes = signs.flatMap((sign): Route[] => {
    const beyond = `/beyond${sign.path}`
    const options: Partial<DocumentOptions> = {
      links: [{ href: '/' }, { href: beyond }],
      noindex: sign.noindex ?? false,
      head: sign.head ?? '',
      headers: sign.tag === undefined ? {} : { 'x-robots-tag': sign.tag },
    }
    return [
      { path: sign.path, document: loosePage(host, world, sign.path, options) },
      sign.nofollow
        ? unfollowed(beyond)
        : { path: beyond, linked: 'nowhere', document: loosePage(host, world, beyond) },
    ]
  })
  const advertisers = loosePage(host, world, '/advertisers', {
    links: [
      { href: '/sponsored/1', rel: 'nofollow' },
      { href: '/sponsored/2', rel: 'sponsored NOFOLLOW noopener' },
      { href: '/welcome', rel: 'noopener' },
    ],
  })
  return site(host, world, {
    routes: [
      ...routes,
      { path: '/advertisers', document: advertisers },
      { path: '/welcome', linked: 'nowhere', document: loosePage(host, world, '/welcome') },
      unfollowed('/sponsored/1'),
      unfollowed('/sponsored/2'),
    ],
  })
}

function unfollowed(path: string): Route {
  return {
    path,
    linked: 'nowhere',
    answer: () => plainText(200, 'No link that may be followed leads here.'),
    expect: { kind: 'excluded', reason: 'nofollow' },
  }
}
