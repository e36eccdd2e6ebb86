import { redirect, response } from '../answer.ts'
import type { Behaviour, Character, HostIdentity, Route, World } from '../host.ts'
import { loosePage, site } from '../site.ts'
import { kindOf } from './kinds.ts'

/**
 * `routes`: one of every kind of redirect beside ordinary pages. `moved`: all of it now lives at `target`. `upgrade`: all of
 * it lives at its HTTPS origin, and its HTTP origin says so.
 */
export const redirecting: Character = (host, world) => {
  switch (kindOf(host, ['routes', 'moved', 'upgrade'])) {
    case 'routes':
      return withRoutes(host, world)
    case 'moved':
      return moved(host, world)
    case 'upgrade':
      return upgrade(host, world)
  }
}

function withRoutes(host: HostIdentity, world: World): Behaviour {
  const other = world.hosts.find(({ number }) => number !== host.number)
  const hop = (path: string, to: string, status = 301, linked: Route['linked'] = 'root'): Route => ({
    path,
    linked,
    answer: () => redirect(to, status),
    expect: { kind: 'redirect', to: new URL(to, host.origin + path).href },
  })
  const routes: Route[] = [
    hop('/chain/1', '/chain/2'),
    hop('/chain/2', 'http:/chain/3', 302, 'nowhere'),
    hop('/chain/3', '../chain/end?utm_source=chain#here', 307, 'nowhere'),
    { path: '/chain/end', linked: 'nowhere', document: loosePage(host, world, '/chain/end') },
    ...[301, 302, 303, 307, 308].flatMap((status) => [
      hop(`/status/${status}`, `/reached/${status}`, status),
      {
        path: `/reached/${status}`,
        linked: 'nowhere' as const,
        document: loosePage(host, world, `/reached/${status}`),
      },
    ]),
    hop('/loop/a', '/loop/b'),
    hop('/loop/b', '/loop/a', 302, 'nowhere'),
    hop('/self', '/self'),
    {
      path: '/without-location',
      answer: () => response(302, 'Somewhere else.'),
      expect: { kind: 'hostile', what: 'redirect without location' },
    },
    {
      path: '/bad-location',
      answer: () => redirect('http://[not a host]/'),
      expect: { kind: 'hostile', what: 'redirect to what is no URL' },
    },
    { path: '/endless/0', answer: endless, expect: { kind: 'hostile', what: 'redirects without end' } },
  ]
  if (other) routes.push(hop('/elsewhere', `${other.origin}/`))
  return {
    ...site(host, world, { routes }),
    traps: [{ prefix: '/endless/', what: 'redirects without end', answer: endless }],
  }
}

function endless({ path }: { readonly path: string }) {
  return redirect(`/endless/${Number(path.slice('/endless/'.length)) + 1}`, 302)
}

function moved(host: HostIdentity, world: World): Behaviour {
  const target = world.hosts.find(({ name }) => name === host.spec.target)
  if (!target) throw new RangeError(`${host.name} has moved to ${host.spec.target}, which is no host`)
  return {
    ...site(host, world, { pages: 1 }),
    gate: ({ path }) => redirect(target.origin + path),
    wholeHost: { kind: 'redirect', to: `${target.origin}/` },
  }
}

function upgrade(host: HostIdentity, world: World): Behaviour {
  if (host.scheme !== 'https') throw new RangeError(`${host.name} upgrades to HTTPS: give it https: true`)
  const entrance: Route = {
    path: `${host.originOf.http}/`,
    answer: () => redirect(`${host.originOf.https}/`),
    expect: { kind: 'redirect', to: `${host.originOf.https}/` },
  }
  return {
    ...site(host, world, { routes: [entrance] }),
    gate: ({ scheme, path }) => (scheme === 'http' ? redirect(host.originOf.https + path, 308) : undefined),
  }
}
