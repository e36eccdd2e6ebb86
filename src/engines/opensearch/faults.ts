import { UsageError } from '../../config/usage-error.ts'
import { certificateFault } from '../certificate-fault.ts'

/** The engine did not answer, or was overloaded, for longer than the crawl's patience. What was flushed before is safe. */
export class EngineAwayError extends Error {
  readonly why: string

  constructor(place: string, waitedMs: number, why: string, cause?: unknown) {
    const seconds = Math.round(waitedMs / 1000)
    super(`OpenSearch at ${place} cannot be reached (${why}; tried for ${seconds} s): bring it back, then resume.`, {
      cause,
    })
    this.name = 'EngineAwayError'
    this.why = why
  }
}

/** The engine answered that this can never be done. */
export class EngineRefusedError extends Error {
  readonly status: number

  constructor(what: string, status: number, body: unknown) {
    super(`OpenSearch refused to ${what}: ${reasonIn(body) ?? `status ${status}`}.`)
    this.name = 'EngineRefusedError'
    this.status = status
  }
}

interface ErrorBody {
  readonly error?: string | { readonly type?: string; readonly reason?: string; readonly root_cause?: ErrorCause[] }
}

interface ErrorCause {
  readonly type?: string
  readonly reason?: string
}

/** The engine's own words, where it gave any. */
export function reasonIn(body: unknown): string | undefined {
  const error = (body as ErrorBody | null | undefined)?.error
  if (typeof error === 'string') return error.slice(0, MAX_REASON)
  if (!error) return undefined
  return [error.type, error.reason ?? error.root_cause?.[0]?.reason].filter(Boolean).join(': ').slice(0, MAX_REASON)
}

const MAX_REASON = 300

/** A connection that failed → what a person should look at. */
export function connectionFault(error: unknown): string {
  const code = codeOf(error)
  return SENTENCES[code] ?? certificateFault({ code }, 'engines.opensearch.caFile') ?? code
}

export const LOST = 'connection lost'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: LOST,
  EPIPE: LOST,
  UND_ERR_SOCKET: LOST,
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time limit',
  UND_ERR_BODY_TIMEOUT: 'no answer within the time limit',
  EPROTO: 'it does not speak TLS: use http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: use http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: use http://',
  HPE_INVALID_CONSTANT: 'it does not answer in HTTP',
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string') return code
  }
  return error instanceof Error ? error.message : String(error)
}

/** Wrong settings, as far as an answer shows them. */
export function accessFault(place: string, status: number, user: string): UsageError | undefined {
  if (status === 401)
    return new UsageError(
      `OpenSearch at ${place} does not accept the user or key (engines.opensearch.user, .password, .apiKey).`,
    )
  if (status === 403) {
    const who = user === '' ? 'The given key' : `The user ${user}`
    return new UsageError(`${who} may not do this at OpenSearch ${place}: it needs to create, read and write indexes.`)
  }
  return undefined
}
