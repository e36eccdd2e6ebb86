import { randomUUID } from 'node:crypto'
import { type Answer, response, type WebRequest } from '../answer.ts'
import type { Character, Route, Trap } from '../host.ts'
import { html } from '../html.ts'
import { prose } from '../prose.ts'
import { uniqueWord } from '../random.ts'
import { loosePage, site } from '../site.ts'
import { kindsOf } from './kinds.ts'

/**
 * Ways to keep a crawler for ever. `calendar`: months without end; `loops`: relative links that deepen the path; `facets`:
 * every combination of filters; `sessions`: a shop of four pages whose every link carries a new session id.
 */
export const traps: Character = (host, world) => {
  const kinds = kindsOf(host, ['calendar', 'loops', 'facets', 'sessions'])

  /** The text is always the same but for a line, as it is in real traps. */
  function trapPage(what: string, line: string, hrefs: readonly string[]): Answer {
    const text = prose([world.seed, host.name, what], 'en', 12)
    return response(
      200,
      html({
        ...text,
        paragraphs: [...text.paragraphs, line],
        lang: 'en',
        charset: 'utf-8',
        marker: uniqueWord(world.seed, host.name, what),
        links: hrefs.map((href) => ({ href })),
      }),
    )
  }

  const trap: Record<'calendar' | 'loops' | 'facets', Trap & { readonly entrance: string }> = {
    calendar: {
      prefix: '/calendar/',
      entrance: '/calendar/2026/01',
      what: 'calendar without end',
      answer: ({ path }) => trapPage('calendar', `Nothing in ${path}`, monthsAround(path)),
    },
    loops: {
      prefix: '/loop/',
      entrance: '/loop/',
      what: 'path that deepens for ever',
      answer: ({ path }) => trapPage('loops', `Depth ${path.split('/').length}`, ['again/more/', '/loop/']),
    },
    facets: {
      prefix: '/catalogue',
      entrance: '/catalogue',
      what: 'every combination of filters',
      answer: ({ path }) => trapPage('facets', `Filter ${path}`, facetsOf(path)),
    },
  }

  const open = kinds.filter((kind) => kind !== 'sessions').map((kind) => trap[kind])
  const entrances = open.map(
    ({ entrance, what, answer }): Route => ({
      path: entrance,
      answer,
      expect: { kind: 'hostile', what },
    }),
  )
  const shop = kinds.includes('sessions') ? shelves.map((path) => shelf(path)) : []

  function shelf(path: string): Route {
    const document = loosePage(host, world, path)
    return { path, answer: (request) => withSession(request), expect: { kind: 'page', document, unsteady: true } }

    function withSession({ headers }: WebRequest): Answer {
      const session = randomUUID().replaceAll('-', '')
      const known = headers.cookie === undefined ? `PHPSESSID=${session}` : ''
      const links = shelves.flatMap((shelf) => [`${shelf}?${known}`, `${shelf};jsessionid=${session}`])
      const anchors = links.map((href) => `<a href="${href}">shelf</a>`).join(' ')
      return response(200, document.body().toString().replace('</nav>', `${anchors}</nav>`))
    }
  }

  return { ...site(host, world, { routes: [...entrances, ...shop] }), traps: open }
}

const shelves = ['/shop', '/shop/teapots', '/shop/lamps', '/shop/maps']

/** Counted from year 0. The way back ends when the site was opened, the way ahead never. */
const openedInMonth = 2024 * 12

function monthsAround(path: string): string[] {
  const [, year = '2026', month = '01'] = /^\/calendar\/(\d{1,9})\/(\d+)/.exec(path) ?? []
  const index = Number(year) * 12 + Number(month) - 1
  const months = [index - 1, index + 1, index + 12].filter((there) => there >= openedInMonth)
  return months.map((there) => {
    return `/calendar/${Math.floor(there / 12)}/${String((there % 12) + 1).padStart(2, '0')}`
  })
}

const facets: Readonly<Record<string, readonly string[]>> = {
  colour: ['red', 'green', 'blue', 'black', 'white'],
  size: ['s', 'm', 'l', 'xl'],
  price: ['low', 'middle', 'high'],
  maker: ['ash', 'beech', 'cedar', 'elm', 'fir'],
  sort: ['new', 'cheap', 'best'],
  page: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
}

function facetsOf(path: string): string[] {
  const chosen = new URLSearchParams(path.split('?', 2)[1] ?? '')
  return Object.entries(facets).flatMap(([facet, values]) =>
    values.map((value) => {
      const next = new URLSearchParams(chosen)
      next.set(facet, value)
      next.sort()
      return `/catalogue?${next}`
    }),
  )
}
