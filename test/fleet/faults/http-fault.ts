import type { IncomingMessage } from 'node:http'

/** An answer that an engine gives when it is not well. */
export interface UnwellAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type HttpFault =
  | { readonly kind: 'pass' }
  | {
      readonly kind: 'answer'
      readonly answer: UnwellAnswer
      /** Of the requests; 1: all. */
      readonly share: number
      /** The engine did what it was asked, and only its answer is replaced. */
      readonly isLate?: boolean
      /** Others pass. */
      readonly only?: (request: IncomingMessage) => boolean
    }

const s3Error = (status: number, code: string): UnwellAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})

export const s3InternalError = s3Error(500, 'InternalError')
export const s3SlowDown = s3Error(503, 'SlowDown')

const searchError = (status: number, type: string): UnwellAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { root_cause: [], type, reason: 'it is unwell' }, status }),
})

export const searchIsFull = searchError(429, 'rejected_execution_exception')
