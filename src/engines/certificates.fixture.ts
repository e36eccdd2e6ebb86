import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificate } from '../../test/web/tls/certificate.ts'

/** Files, all PEM, as engines and their clients take them. */
export interface Certificates extends Disposable {
  readonly folder: string
  readonly caFile: string
  /** An authority that has signed nothing here. */
  readonly strangeCaFile: string
  /** For localhost and 127.0.0.1; serves servers and clients. */
  readonly certificateFile: string
  readonly keyFile: string
}

const dayMs = 86_400_000

export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-certificates-'))
  const now = Date.now()
  const valid = { notBeforeMs: now - dayMs, notAfterMs: now + dayMs }
  const authority = newKeys()
  const leaf = newKeys()
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const authorityCertificate = (issuer: string, { publicKey, privateKey: signingKey }: typeof authority) =>
    certificate({ ...valid, subject: issuer, issuer, publicKey, signingKey })
  const names = { subject: 'localhost', dnsName: 'localhost', address: '127.0.0.1' }
  const signed = { issuer: 'Engines', publicKey: leaf.publicKey, signingKey: authority.privateKey }
  return {
    folder,
    caFile: file('ca.pem', authorityCertificate('Engines', authority)),
    strangeCaFile: file('strange-ca.pem', authorityCertificate('Strangers', newKeys())),
    certificateFile: file('certificate.pem', certificate({ ...valid, ...names, ...signed })),
    keyFile: file('key.pem', leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
