import { plainText } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { loosePage, site } from '../site.ts'
import { kindOf } from './kinds.ts'

interface Guard {
  readonly text: string
  /** Linked from every page; robots.txt closes them. */
  readonly closed: readonly string[]
  /** Linked from every page; robots.txt leaves them open, if only just. */
  readonly open: readonly string[]
}

const guards = {
  plain: {
    text: 'User-agent: *\nDisallow: /private/\nDisallow: /cgi-bin\nAllow: /private/lobby\n',
    closed: ['/private/', '/private/diary', '/cgi-bin/search?q=a', '/cgi-binary'],
    open: ['/private/lobby', '/private-view', '/CGI-BIN/x'],
  },
  agent: {
    text: 'User-agent: *\nDisallow: /\n\nUser-agent: Orbweaver\nUser-agent: other\nDisallow: /guests/\n\nUser-agent: orbweaver\nDisallow: /also/\n',
    closed: ['/guests/list', '/also/this'],
    open: ['/members/list'],
  },
  wildcards: {
    text: 'user-agent : *   # all\nDisallow: /*?print=\nDisallow: /*.tmp$\nDisallow: /a*b*c\nAllow: /tie\nDisallow: /tie\nDisallow: /caf%C3%A9\n',
    closed: ['/story?print=1', '/draft.tmp', '/aXXbYYc/more', '/caf%C3%A9/menu'],
    open: ['/story?screen=1', '/draft.tmpl', '/a-c', '/tie'],
  },
  'crawl-delay': { text: '', closed: ['/closed/x'], open: [] },
  closed: { text: 'User-agent: *\nDisallow: /\n', closed: [], open: [] },
} satisfies Record<string, Guard>

/** Links from every page to paths that its robots.txt closes, and counts who comes. `gapMs` (200) is its Crawl-delay. */
export const robotsGuarded: Character = (host, world) => {
  const kind = kindOf(host, Object.keys(guards) as (keyof typeof guards)[])
  const { closed, open }: Guard = guards[kind]
  const delayMs = host.spec.gapMs ?? 200
  const text =
    kind === 'crawl-delay' ? `User-agent: *\nCrawl-delay: ${delayMs / 1000}\nDisallow: /closed/\n` : guards[kind].text
  const shut = new Set(closed)
  const routes: Route[] = [
    ...closed.map(
      (path): Route => ({
        path,
        linked: 'everywhere',
        answer: () => plainText(200, 'You should not read this.'),
        expect: { kind: 'excluded', reason: 'robots' },
      }),
    ),
    ...open.map((path): Route => ({ path, linked: 'everywhere', document: loosePage(host, world, path) })),
  ]
  return {
    ...site(host, world, { routes, ...(kind === 'closed' ? { pages: 1 } : {}) }),
    robots: () => plainText(200, text),
    forbids: (path) => kind === 'closed' || shut.has(path),
    ...(kind === 'crawl-delay' ? { crawlDelayMs: delayMs } : {}),
    ...(kind === 'closed' ? { wholeHost: { kind: 'excluded', reason: 'robots' } } : {}),
  }
}
