import type { HostIdentity } from '../host.ts'

/** The kinds that the options ask for, or all. A kind that the character does not know is a mistake in the options. */
export function kindsOf<Kind extends string>(host: HostIdentity, known: readonly Kind[]): readonly Kind[] {
  const { kinds, character } = host.spec
  if (!kinds) return known
  const wanted = known.filter((kind) => kinds.includes(kind))
  if (wanted.length !== new Set(kinds).size)
    throw new RangeError(`${character} knows the kinds ${known.join(', ')}; asked for ${kinds.join(', ')}`)
  return wanted
}

/** The hosts of one entry take the kinds in turn. */
export function kindOf<Kind extends string>(host: HostIdentity, known: readonly Kind[]): Kind {
  const kinds = kindsOf(host, known)
  return kinds[host.ordinal % kinds.length]!
}
