import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { UsageError } from '../../config/usage-error.ts'

/**
 * One context for all connections, made for the first that needs it: making one costs more than a handshake.
 * Verification is always on; what a private site needs is its authority among the trusted. Throws at once for a file
 * that cannot be read or holds no certificate.
 */
export function trustedContext(caCertificates: readonly string[]): () => SecureContext {
  const added = caCertificates.map(readCertificate)
  let context: SecureContext | undefined
  return () => {
    context ??= createSecureContext(added.length > 0 ? { ca: [...getCACertificates('default'), ...added] } : {})
    return context
  }
}

function readCertificate(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    // Refuses what is no certificate here, by name; later it would only look like an untrusted server.
    return new X509Certificate(pem) && pem
  } catch (cause) {
    throw new UsageError(`The certificate ${path} cannot be used: ${(cause as Error).message}.`, { cause })
  }
}
