import { type Answer, reset, response, silence } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { loosePage, site } from '../site.ts'
import { kindsOf } from './kinds.ts'

const troubles = {
  'status-500': response(500, 'Something broke.'),
  'status-502': response(502, 'Nobody behind me.'),
  'status-503': response(503, 'Too busy.'),
  reset,
  'half-body': {
    kind: 'raw',
    bytes: Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<title>Half'),
    end: 'reset',
  },
  timeout: silence,
} satisfies Record<string, Answer>

type Trouble = keyof typeof troubles

/**
 * Every URL fails `failures` times (1) in one of the kinds and then answers for good, counted by URL. Below `/never/` one
 * URL of each kind never heals.
 */
export const flaky: Character = (host, world) => {
  const kinds = kindsOf(host, Object.keys(troubles) as Trouble[])
  const attempts = new Map<string, number>()

  const never: Route[] = kinds.map((kind) => ({
    path: `/never/${kind}`,
    answer: () => troubles[kind],
    expect: { kind: 'failure', reasons: reasonsOf(kind) },
  }))
  const healing: Route[] = kinds.map((kind) => ({
    path: `/heals/${kind}`,
    document: loosePage(host, world, `/heals/${kind}`),
  }))

  return {
    ...site(host, world, { routes: [...never, ...healing] }),
    gate: ({ path }) => {
      const attempt = (attempts.get(path) ?? 0) + 1
      attempts.set(path, attempt)
      if (path.startsWith('/never/') || attempt > (host.spec.failures ?? 1)) return undefined
      const named = kinds.find((kind) => path.endsWith(kind))
      return troubles[named ?? kinds[path.length % kinds.length]!]
    },
  }
}

function reasonsOf(kind: Trouble): string[] {
  if (kind === 'timeout') return ['first-byte-timeout', 'total-timeout']
  if (kind === 'half-body') return ['reset', 'protocol', 'connect-failed']
  return kind === 'reset' ? ['reset', 'connect-failed'] : [kind]
}
