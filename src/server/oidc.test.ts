import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { issuerTokens } from './oidc.ts'

const issuer = { issuer: 'https://login.test/realm', audience: 'orbweaver', roleClaim: 'orbweaver_role' }
const nowMs = 1_800_000_000_000
const claims = {
  ...{
    iss: issuer.issuer,
    aud: ['other', 'orbweaver'],
    sub: 'u1',
    name: 'Olga',
    orbweaver_role: ['viewer', 'operator'],
  },
  ...{ exp: nowMs / 1000 + 300, nbf: nowMs / 1000 - 10 },
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwt(payload: object, key: KeyObject = rsa.privateKey, head: object = { alg: 'RS256', kid: 'r' }): string {
  const text = `${part(head)}.${part(payload)}`
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** An issuer that counts how often it is asked for its keys. */
function openIssuer(named = issuer.issuer) {
  const asked: string[] = []
  const keys = [
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'r' },
    { ...ec.publicKey.export({ format: 'jwk' }), kid: 'e' },
  ]
  const send = async (url: string) => {
    asked.push(url)
    const isDiscovery = url.endsWith('/.well-known/openid-configuration')
    return Response.json(isDiscovery ? { issuer: named, jwks_uri: 'https://login.test/keys' } : { keys })
  }
  let now = nowMs
  const check = issuerTokens(issuer, () => now, send as unknown as typeof fetch)
  return { check, asked, pass: (ms: number) => (now += ms) }
}

test('a token of the issuer tells who it is, with the highest role it grants', async () => {
  const { check, asked } = openIssuer()
  assert.deepEqual(await check(jwt(claims)), { name: 'Olga', role: 'operator' })
  assert.deepEqual(await check(jwt(claims, ec.privateKey, { alg: 'ES256', kid: 'e' })), {
    name: 'Olga',
    role: 'operator',
  })
  assert.equal(asked.length, 2, 'keys are kept')
})

test('a token that is not for us, not now, or without a role is not accepted', async () => {
  const { check } = openIssuer()
  for (const [what, changed] of Object.entries({
    'other issuer': { iss: 'https://evil.test' },
    'other audience': { aud: 'other' },
    'no longer': { exp: nowMs / 1000 - 120 },
    'not yet': { nbf: nowMs / 1000 + 120 },
    'no role': { orbweaver_role: 'king' },
    'no end': { exp: undefined },
  }))
    assert.equal(await check(jwt({ ...claims, ...changed })), undefined, what)
})

test('a token that the issuer has not signed is not accepted, whatever it claims', async () => {
  const { check } = openIssuer()
  const [head, body] = jwt(claims).split('.') as [string, string]
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const asSecret = (alg: string) => {
    const text = `${part({ alg, kid: 'r' })}.${body}`
    return `${text}.${createHmac('sha256', publicPem).update(text).digest('base64url')}`
  }
  for (const token of [
    jwt(claims, foreign.privateKey),
    `${head}.${body}.`,
    `${part({ alg: 'none' })}.${body}.`,
    asSecret('HS256'),
    asSecret('RS256'),
    jwt(claims, rsa.privateKey, { alg: 'ES256', kid: 'r' }),
    jwt(claims, rsa.privateKey, { alg: '__proto__', kid: 'r' }),
    `${head}.${part({ ...claims, orbweaver_role: 'admin' })}.${jwt(claims).split('.')[2]}`,
    'not-a-token',
    'a.b.c',
  ])
    assert.equal(await check(token), undefined, token.slice(0, 60))
})

test('a key that is not known is asked for, but not for every token that somebody makes up', async () => {
  const { check, asked, pass } = openIssuer()
  await check(jwt(claims))
  for (let i = 0; i < 20; i++) await check(jwt(claims, foreign.privateKey, { alg: 'RS256', kid: `made-up-${i}` }))
  assert.equal(asked.length, 2)
  pass(31_000)
  await check(jwt(claims, foreign.privateKey, { alg: 'RS256', kid: 'new' }))
  assert.equal(asked.length, 4)
})

test('a document that calls itself by another name is not believed', async () => {
  const { check } = openIssuer('https://evil.test')
  await assert.rejects(check(jwt(claims)), /calls itself/)
})
