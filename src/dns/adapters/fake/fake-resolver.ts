import { isIP } from 'node:net'
import type { Resolution, Resolver } from '../../resolver.ts'

export interface FakeResolver extends Resolver {
  /** Every name that was asked for, in order. */
  readonly asked: readonly string[]
}

/** Answers from a table of name → addresses, which a test may change as it goes. */
export function fakeResolver(names: Record<string, readonly string[]>, ttlMs = 60_000): FakeResolver {
  const asked: string[] = []
  return {
    asked,
    async resolve(host): Promise<Resolution> {
      asked.push(host)
      const addresses = isIP(host) ? [host] : names[host]
      if (!addresses) return { kind: 'not-found', detail: `${host} is not in the table`, ttlMs }
      return {
        kind: 'resolved',
        addresses: addresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 })),
        ttlMs,
      }
    },
    async [Symbol.asyncDispose]() {},
  }
}
