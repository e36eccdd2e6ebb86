import { plainText, response } from '../answer.ts'
import { type DocumentOptions, epochMs } from '../document.ts'
import type { Character, Expectation, HostIdentity, Route, World } from '../host.ts'
import { prose } from '../prose.ts'
import { loosePage, site } from '../site.ts'

const hourMs = 3_600_000
/** By the page's number: for ever the same, each hour, each day, each week. */
const periodsMs = [Number.POSITIVE_INFINITY, hourMs, 24 * hourMs, 168 * hourMs]

/**
 * A quarter of its pages never changes, the others get new text each hour, day or week of the web's own time. After two
 * days `/passing` is gone, and `/` leads to `/newcomer`. With the kind `closing` its robots.txt closes `/closing` then.
 */
export const changing: Character = (host, world) => {
  const isLate = () => world.now() - epochMs >= 48 * hourMs
  const closes = host.spec.kinds?.includes('closing') === true
  const newcomerLink = () => (isLate() ? [{ href: '/newcomer' }] : [])
  return {
    ...site(host, world, {
      routes: [
        temporary(host, world, '/passing', 'root', () => !isLate(), { kind: 'failure', reasons: ['status-410'] }),
        ...(closes ? [{ path: '/closing', document: loosePage(host, world, '/closing') }] : []),
        temporary(host, world, '/newcomer', 'nowhere', isLate, { kind: 'excluded', reason: 'not-yet' }),
      ],
      alter: (page, options) => {
        const edited = edition(host, world, page, options)
        return page === 0 ? { ...edited, links: [...edited.links, ...newcomerLink()] } : edited
      },
    }),
    changes: true,
    ...(closes
      ? { robots: () => plainText(200, isLate() ? 'User-agent: *\nDisallow: /closing\n' : 'User-agent: *\n') }
      : {}),
  }
}

function edition(host: HostIdentity, world: World, page: number, options: DocumentOptions): DocumentOptions {
  // The entrance changes with the link that appears on it.
  const periodMs = page === 0 ? 48 * hourMs : periodsMs[page % periodsMs.length]!
  const version = Math.floor((world.now() - epochMs) / periodMs)
  if (version === 0) return options
  const text = prose([world.seed, host.name, page, version], 'en', 5)
  return { ...options, ...text, lang: 'en', version, modifiedAtMs: epochMs + version * periodMs }
}

function temporary(
  host: HostIdentity,
  world: World,
  path: string,
  linked: 'root' | 'nowhere',
  isThere: () => boolean,
  otherwise: Expectation,
): Route {
  const document = loosePage(host, world, path)
  return {
    path,
    linked,
    answer: () => (isThere() ? { kind: 'document', document: () => document } : response(410, 'Not here.')),
    get expect(): Expectation {
      return isThere() ? { kind: 'page', document } : otherwise
    },
  }
}
