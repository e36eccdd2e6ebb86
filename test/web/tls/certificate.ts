import { type KeyObject, randomBytes, sign } from 'node:crypto'
import { bits, der, integer, objectId, octets, sequence, set, tagged, time, truth, utf8 } from './der.ts'

export interface CertificateOptions {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  /** The issuer's, on P-256. */
  readonly signingKey: KeyObject
  readonly notBeforeMs: number
  readonly notAfterMs: number
  /** The one DNS name it speaks for; an authority has none. */
  readonly dnsName?: string
  /** An IPv4 address that it speaks for besides. */
  readonly address?: string
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))

/** An X.509 v3 certificate as PEM (RFC 5280). */
export function certificate(options: CertificateOptions): string {
  const { subject, issuer, publicKey, signingKey, notBeforeMs, notAfterMs } = options
  const body = sequence(
    tagged(0, integer(2)),
    integer(randomBytes(8)),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(validity(notBeforeMs), validity(notAfterMs)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions(options))),
  )
  const signature = sign('sha256', body, signingKey)
  return pem(sequence(body, ecdsaWithSha256, bits(signature)))
}

function extensions({ dnsName, address }: CertificateOptions): Buffer[] {
  const isAuthority = dnsName === undefined
  const basicConstraints = extension('2.5.29.19', sequence(...(isAuthority ? [truth()] : [])), true)
  if (isAuthority) return [basicConstraints]
  const names = [
    der(0x82, Buffer.from(dnsName)),
    ...(address ? [der(0x87, Buffer.from(address.split('.').map(Number)))] : []),
  ]
  const alternativeNames = extension('2.5.29.17', sequence(...names))
  return [basicConstraints, alternativeNames]
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectId(id), ...(isCritical ? [truth()] : []), octets(value))
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(objectId('2.5.4.3'), utf8(name))))
}

/** Dates before 2050 must be written with a two-digit year. */
function validity(ms: number): Buffer {
  const full = time(ms)
  return ms < Date.UTC(2050, 0) ? der(0x17, full.subarray(4)) : full
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
