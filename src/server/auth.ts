import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { UsageError } from '../config/usage-error.ts'
import { type Role, role as roleSchema } from './api/schemas/session.ts'
import { HttpProblem } from './problem.ts'

/** Who is asking. */
export interface Caller {
  readonly name: string
  readonly role: Role
}

/** Says who holds a token; `undefined`: nobody that is known. */
export type TokenCheck = (token: string) => Promise<Caller | undefined>

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 }

export const mayAct = (caller: Caller, wanted: Role) => ranks[caller.role] >= ranks[wanted]

/** Without any token the server is open, on loopback only. */
export const everybody: Caller = { name: 'local', role: 'admin' }

/** The caller of a request, who may do what `wanted` may; a problem otherwise. */
export async function authenticate(
  authorization: string | undefined,
  wanted: Role,
  checks: readonly TokenCheck[],
): Promise<Caller> {
  if (checks.length === 0) return everybody
  const token = /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(authorization ?? '')?.[1]
  const caller = token === undefined ? undefined : await firstOf(checks, token)
  if (!caller)
    throw new HttpProblem(
      401,
      token === undefined ? 'A token is needed: `Authorization: Bearer …`.' : 'The token is not accepted.',
      { headers: { 'www-authenticate': 'Bearer realm="orbweaver"' } },
    )
  if (mayAct(caller, wanted)) return caller
  throw new HttpProblem(403, `This needs the role ${wanted}; ${caller.name} is ${caller.role}.`)
}

async function firstOf(checks: readonly TokenCheck[], token: string): Promise<Caller | undefined> {
  for (const check of checks) {
    const caller = await check(token)
    if (caller) return caller
  }
  return undefined
}

interface KnownToken extends Caller {
  readonly hash: Buffer
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Tokens of a file, kept as hashes. Every known one is compared, so that the time taken tells nothing. */
export function fileTokens(path: string): TokenCheck {
  const known = readTokens(path)
  return async (token) => {
    const hash = hashOf(token)
    let found: Caller | undefined
    for (const { name, role, hash: expected } of known) if (timingSafeEqual(hash, expected)) found = { name, role }
    return found
  }
}

function readTokens(path: string): readonly KnownToken[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`The token file ${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  const lines = text.split('\n').map((line) => line.trim())
  const tokens = lines.flatMap((line, i) => (line === '' || line.startsWith('#') ? [] : [tokenIn(line, path, i + 1)]))
  if (tokens.length > 0) return tokens
  throw new UsageError(`The token file ${path} holds no token: write \`ROLE NAME TOKEN\` on a line.`)
}

const shortestToken = 16

function tokenIn(line: string, path: string, number: number): KnownToken {
  const fault = (what: string) => new UsageError(`Line ${number} of the token file ${path}: ${what}.`)
  const words = line.split(/\s+/)
  const [role, name, token] = words.length === 1 ? ['admin', 'admin', words[0]!] : words
  const known = roleSchema.safeParse(role)
  if (words.length === 2 || words.length > 3 || !known.success || name === undefined || token === undefined)
    throw fault('it is not `ROLE NAME TOKEN`, where the role is viewer, operator or admin')
  if (token.startsWith('sha256:')) {
    if (!/^sha256:[0-9a-f]{64}$/i.test(token)) throw fault('after `sha256:` stand 64 hexadecimal digits')
    return { name, role: known.data, hash: Buffer.from(token.slice(7), 'hex') }
  }
  if (token.length < shortestToken) throw fault(`a token has at least ${shortestToken} characters`)
  return { name, role: known.data, hash: hashOf(token) }
}
