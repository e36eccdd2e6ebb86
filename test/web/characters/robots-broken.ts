import { type Answer, plainText, redirect, reset, response, silence, type WebRequest } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { site } from '../site.ts'
import { kindOf } from './kinds.ts'

const rules = 'User-agent: *\nDisallow: /private/\n'
/** RFC 9309 lets a crawler stop reading after 500 KiB. */
const readBytes = 500 * 1024

const all = [
  'always-500',
  'always-silent',
  'always-reset',
  'heals',
  'missing',
  'forbidden',
  'redirected',
  'redirected-away',
  'page-instead',
  'huge',
] as const

const hopeless = new Set<(typeof all)[number]>(['always-500', 'always-silent', 'always-reset'])
const withRules = new Set<(typeof all)[number]>(['heals', 'redirected', 'huge'])

/** Has something wrong with its robots.txt. `heals`: answers 500 `failures` times (2) before it gives its rules. */
export const robotsBroken: Character = (host, world) => {
  const kind = kindOf(host, all)
  const away = world.hosts.find(({ number }) => number !== host.number) ?? host
  let asked = 0

  function robots({ path }: WebRequest): Answer {
    switch (kind) {
      case 'always-500':
        return response(500, 'Broken.')
      case 'always-silent':
        return silence
      case 'always-reset':
        return reset
      case 'heals':
        return ++asked > (host.spec.failures ?? 2) ? plainText(200, rules) : response(503, 'Not yet.')
      case 'missing':
        return response(404, 'No rules here.')
      case 'forbidden':
        return response(403, 'None of your business.')
      case 'redirected':
        return path === '/robots.txt' ? redirect('/rules/robots.txt') : plainText(200, rules)
      case 'redirected-away':
        return redirect(`${away.origin}/no-rules-here.txt`)
      case 'page-instead':
        return response(200, '<!doctype html><title>Welcome</title><p>Disallowed: nothing</p>')
      case 'huge':
        return plainText(200, rules + '# nothing\n'.repeat(readBytes / 10) + 'Disallow: /\n'.repeat(10))
    }
  }

  const routes: Route[] = []
  if (withRules.has(kind))
    routes.push({
      path: '/private/x',
      linked: 'everywhere',
      answer: () => plainText(200, 'You should not read this.'),
      expect: { kind: 'excluded', reason: 'robots' },
    })
  const isHopeless = hopeless.has(kind)
  return {
    ...site(host, world, { routes, ...(isHopeless ? { pages: 1 } : {}) }),
    robots,
    gate: (request) => (request.path === '/rules/robots.txt' ? robots(request) : undefined),
    forbids: (path) => withRules.has(kind) && path === '/private/x',
    ...(isHopeless ? { wholeHost: { kind: 'excluded', reason: 'robots-unavailable' } } : {}),
  }
}
