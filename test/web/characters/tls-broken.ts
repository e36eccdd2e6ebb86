import type { Character } from '../host.ts'
import { site } from '../site.ts'
import { kindOf } from './kinds.ts'

/** Shows a certificate that must not be trusted. */
export const tlsBroken: Character = (host, world) => {
  if (host.scheme !== 'https') throw new RangeError(`${host.name} has broken TLS: give it https: true`)
  return {
    ...site(host, world, { pages: 1 }),
    tls: kindOf(host, ['expired', 'wrong-name', 'self-signed']),
    wholeHost: { kind: 'failure', reasons: ['tls-expired', 'tls-wrong-name', 'tls-untrusted'] },
  }
}
