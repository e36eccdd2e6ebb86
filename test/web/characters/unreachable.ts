import type { Character, DnsKind } from '../host.ts'
import { site } from '../site.ts'
import { kindOf } from './kinds.ts'

const ways = {
  'not-found': { dns: 'not-found', reasons: ['dns-not-found'] },
  failed: { dns: 'failed', reasons: ['dns-failed'] },
  silent: { dns: 'silent', reasons: ['dns-failed'] },
  private: { dns: 'private', reasons: ['address-refused'] },
  refused: { dns: 'address', reasons: ['connect-refused'] },
} satisfies Record<string, { dns: DnsKind; reasons: string[] }>

/**
 * Cannot be connected to: its name does not exist, cannot be resolved or leads to a private address, or nothing listens
 * there (on machines with only one loopback address it answers all the same).
 */
export const unreachable: Character = (host, world) => {
  const kind = kindOf(host, Object.keys(ways) as (keyof typeof ways)[])
  return {
    ...site(host, world, { pages: 1 }),
    dns: ways[kind].dns,
    deaf: true,
    wholeHost: { kind: 'failure', reasons: ways[kind].reasons },
  }
}
