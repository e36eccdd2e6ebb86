import { generateKeyPairSync } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { TlsKind } from '../host.ts'
import { certificate } from './certificate.ts'

/** Issues certificates for the hosts of one test web, good ones and bad ones, when they are first asked for. */
export interface Authority {
  /** What a client must trust, as PEM. */
  readonly certificate: string
  contextOf(host: string, kind: TlsKind): SecureContext
}

const dayMs = 86_400_000

/** All hosts share one key pair: making keys is what would cost. */
export function createAuthority(nowMs: number): Authority {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const issuer = 'Test web authority'
  const contexts = new Map<string, SecureContext>()
  const current = { notBeforeMs: nowMs - dayMs, notAfterMs: nowMs + 30 * dayMs }

  function issue(host: string, kind: TlsKind): string {
    const good = {
      ...current,
      subject: host,
      issuer,
      publicKey: leaf.publicKey,
      signingKey: root.privateKey,
      dnsName: host,
    }
    switch (kind) {
      case 'good':
        return certificate(good)
      case 'expired':
        return certificate({ ...good, notBeforeMs: nowMs - 60 * dayMs, notAfterMs: nowMs - 30 * dayMs })
      case 'wrong-name':
        return certificate({ ...good, dnsName: 'someone-else.test' })
      case 'self-signed':
        return certificate({ ...good, issuer: host, signingKey: leaf.privateKey })
      default:
        return kind satisfies never
    }
  }

  return {
    certificate: certificate({
      ...current,
      subject: issuer,
      issuer,
      publicKey: root.publicKey,
      signingKey: root.privateKey,
    }),
    contextOf(host, kind) {
      let context = contexts.get(host)
      if (!context) {
        context = createSecureContext({ key, cert: issue(host, kind) })
        contexts.set(host, context)
      }
      return context
    },
  }
}
