import type { Scheme } from './answer.ts'
import { characters } from './characters/index.ts'
import type { Host, HostIdentity, World } from './host.ts'
import type { HostSpec } from './options.ts'

export interface Ports {
  readonly http: number
  readonly https: number
}

/** Who there is: names, addresses and origins, before any of them does anything. */
export function identities(
  specs: readonly HostSpec[],
  ports: Ports,
  addressOf: (number: number) => string,
): HostIdentity[] {
  const used = new Map<string, number>()
  const hosts: HostIdentity[] = []
  for (const spec of specs)
    for (let ordinal = 0; ordinal < (spec.count ?? 1); ordinal++) {
      const name = nameOf(spec, used)
      const scheme: Scheme = spec.https ? 'https' : 'http'
      const originOf = { http: `http://${name}:${ports.http}`, https: `https://${name}:${ports.https}` }
      const number = hosts.length + 1
      hosts.push({
        number,
        ordinal,
        name,
        address: addressOf(number),
        scheme,
        origin: originOf[scheme],
        originOf,
        spec,
      })
    }
  return hosts
}

/** Everybody's character. Behaviours may look at the identities of others, never at their behaviour. */
export function behaving(world: World): Host[] {
  return world.hosts.map((identity) => {
    const behaviour = characters[identity.spec.character](identity, world)
    return { ...identity, ...behaviour, route: new Map(behaviour.routes.map((route) => [route.path, route])) }
  })
}

/** 127.1.0.1, 127.1.0.2 … leaving 127.0.0.0/16 to others on this machine. */
export function loopbackAddress(number: number): string {
  return `127.${1 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
}

function nameOf(spec: HostSpec, used: Map<string, number>): string {
  const base = spec.name ?? spec.character
  if (spec.name !== undefined && spec.count === undefined) return `${base}.test`
  const number = (used.get(base) ?? 0) + 1
  used.set(base, number)
  return `${base}-${number}.test`
}
