import type { Host } from '../host.ts'
import { type Reply, responseCode } from './message.ts'

/** What the name server says of a host; `undefined` is silence. */
export function dnsReply(host: Host | undefined): Reply | undefined {
  const ttlSeconds = host?.spec.ttlSeconds ?? 300
  if (!host) return { code: responseCode.nameError, addresses: [], ttlSeconds }
  switch (host.dns ?? 'address') {
    case 'address':
      return { code: responseCode.ok, addresses: [host.address], ttlSeconds }
    case 'not-found':
      return { code: responseCode.nameError, addresses: [], ttlSeconds }
    case 'failed':
      return { code: responseCode.serverFailure, addresses: [], ttlSeconds }
    case 'private':
      return { code: responseCode.ok, addresses: ['10.255.255.1'], ttlSeconds }
    case 'silent':
      return undefined
  }
}
