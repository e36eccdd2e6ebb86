import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '../orchestrator/refusal.ts'
import { type Role, role as roleSchema } from './api/schemas/session.ts'
import type { Caller, TokenCheck } from './auth.ts'
import type { ServerConfig } from './config.ts'

type Issuer = NonNullable<ServerConfig['oidc']>

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() })
const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string().optional(), kty: z.string() })).max(100) })
const header = z.object({ alg: z.string(), kid: z.string().optional() })
const claims = z.looseObject({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z.string().default(''),
  name: z.string().optional(),
})

/** Algorithms with a public key, by their names in tokens; `none` and those with a shared secret are not among them. */
const algorithms: Readonly<Record<string, { hash: string | undefined; dsaEncoding?: 'ieee-p1363' }>> = {
  RS256: { hash: 'sha256' },
  RS384: { hash: 'sha384' },
  RS512: { hash: 'sha512' },
  ES256: { hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  ES384: { hash: 'sha384', dsaEncoding: 'ieee-p1363' },
  EdDSA: { hash: undefined },
}

const keysKeptMs = 600_000
const askAgainMs = 30_000
const clockSkewMs = 60_000
const patienceMs = 10_000

/** Tokens (JWT) of an OpenID Connect issuer, whose keys are found by its discovery document. */
export function issuerTokens(issuer: Issuer, now = Date.now, send: typeof fetch = fetch): TokenCheck {
  let known: { readonly keys: ReadonlyMap<string, KeyObject>; readonly at: number } | undefined
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    const base = issuer.issuer.replace(/\/$/, '')
    const { issuer: named, jwks_uri: place } = discovery.parse(
      await json(send, `${base}/.well-known/openid-configuration`),
    )
    if (named.replace(/\/$/, '') !== base) throw new Error(`${base} calls itself ${named}.`)
    const { keys } = keySet.parse(await json(send, place))
    known = { keys: new Map(keys.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })])), at: now() }
  }

  /** A key that is not known may be new: the issuer is asked again, but not for every token that somebody makes up. */
  async function keyFor(kid: string): Promise<KeyObject | undefined> {
    const age = known ? now() - known.at : Number.POSITIVE_INFINITY
    if (age > keysKeptMs || (!known?.keys.has(kid) && age > askAgainMs)) {
      asking ??= ask()
        .catch((cause: Error) => {
          throw new Refusal('unavailable', `The issuer of tokens cannot be asked: ${cause.message}`, { cause })
        })
        .finally(() => {
          asking = undefined
        })
      await asking
    }
    return known?.keys.get(kid)
  }

  return async (token) => {
    const parts = token.split('.')
    if (parts.length !== 3) return undefined
    const [head, body, signature] = parts as [string, string, string]
    const said = header.safeParse(decoded(head))
    const algorithm = said.success && Object.hasOwn(algorithms, said.data.alg) ? algorithms[said.data.alg] : undefined
    if (!said.success || !algorithm) return undefined
    const key = await keyFor(said.data.kid ?? '')
    if (!key || !fitsKey(said.data.alg, key)) return undefined
    const { hash, ...encoding } = algorithm
    const bytes = Buffer.from(signature, 'base64url')
    if (!verify(hash, Buffer.from(`${head}.${body}`), { key, ...encoding }, bytes)) return undefined
    const claimed = claims.safeParse(decoded(body))
    return claimed.success ? callerOf(claimed.data, issuer, now()) : undefined
  }
}

const keyTypes: Readonly<Record<string, string>> = { RS: 'rsa', ES: 'ec', Ed: 'ed25519' }

const fitsKey = (algorithm: string, key: KeyObject) => keyTypes[algorithm.slice(0, 2)] === key.asymmetricKeyType

function callerOf(claimed: z.infer<typeof claims>, issuer: Issuer, nowMs: number): Caller | undefined {
  const { iss, aud, exp, nbf = 0, sub, name } = claimed
  const isOurs = iss === issuer.issuer && [aud].flat().includes(issuer.audience)
  const isNow = exp * 1000 > nowMs - clockSkewMs && nbf * 1000 < nowMs + clockSkewMs
  const role = highestRole(claimed[issuer.roleClaim])
  return isOurs && isNow && role ? { name: name ?? sub, role } : undefined
}

function highestRole(claimed: unknown): Role | undefined {
  const roles = [claimed].flat()
  return roleSchema.options.findLast((role) => roles.includes(role))
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}

async function json(send: typeof fetch, url: string): Promise<unknown> {
  const response = await send(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'error' })
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`)
  return response.json()
}
