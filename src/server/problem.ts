import { STATUS_CODES } from 'node:http'
import { UsageError } from '../config/usage-error.ts'
import { StorageError } from '../embedded/storage-error.ts'
import { Refusal, type RefusalCode } from '../orchestrator/refusal.ts'
import type { Problem } from './api/schemas/problem.ts'

export type Fault = NonNullable<Problem['faults']>[number]

/** A request that is answered with a problem document (RFC 9457). */
export class HttpProblem extends Error {
  readonly status: number
  readonly faults: readonly Fault[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    detail: string,
    {
      faults,
      headers = {},
      cause,
    }: { faults?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause })
    this.name = 'HttpProblem'
    this.status = status
    this.faults = faults
    this.headers = headers
  }
}

const refusalStatus: Readonly<Record<RefusalCode, number>> = {
  'not-found': 404,
  conflict: 409,
  invalid: 422,
  unavailable: 503,
}

/** Faults of engines by their names: their modules bring clients along that a crawl in a folder does without. */
const engineFaults: readonly string[] = [
  ...['EngineAwayError', 'EngineRefusedError', 'RefusedWritesError', 'S3Error'],
  ...['MaxRetriesPerRequestError', 'ReplyError', 'ClusterAllFailedError'],
]

const isEngineFault = (error: unknown): error is Error => error instanceof Error && engineFaults.includes(error.name)

/** What went wrong, in words for the caller. What nobody expected is told to the log only. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error
  if (error instanceof Refusal) return new HttpProblem(refusalStatus[error.code], error.message, { cause: error })
  if (error instanceof UsageError) return new HttpProblem(422, error.message, { cause: error })
  if (error instanceof StorageError) return new HttpProblem(503, error.message, { cause: error })
  if (isEngineFault(error))
    return new HttpProblem(503, `An engine cannot be used now: ${error.message}`, { cause: error })
  return new HttpProblem(500, 'Something went wrong here; the log of the server tells more.', { cause: error })
}

export function problemDocument({ status, message, faults }: HttpProblem, instance: string): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Problem',
    status,
    detail: message,
    instance,
    ...(faults ? { faults: [...faults] } : {}),
  }
}
