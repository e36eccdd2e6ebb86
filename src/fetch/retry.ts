import type { FailureCode } from './outcome.ts'

export type WhatFollows =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string }
  | { readonly kind: 'dead'; readonly reason: string }

/** `heals`: a later attempt may go well. `never`: the same again would end the same. `unspent`: we stopped it ourselves. */
type Prospect = 'heals' | 'never' | 'unspent'

export const prospects: Readonly<Record<FailureCode, Prospect>> = {
  'dns-not-found': 'never',
  'dns-failed': 'heals',
  'address-refused': 'never',
  'connect-refused': 'heals',
  'connect-timeout': 'heals',
  'connect-failed': 'heals',
  'tls-expired': 'never',
  'tls-wrong-name': 'never',
  'tls-untrusted': 'never',
  'tls-invalid': 'never',
  'first-byte-timeout': 'heals',
  'body-timeout': 'heals',
  'total-timeout': 'heals',
  reset: 'heals',
  protocol: 'never',
  'body-too-large': 'never',
  'inflate-too-large': 'never',
  'bad-encoding': 'never',
  cancelled: 'unspent',
  'reader-died': 'heals',
}

const defaultDelaysMs: readonly number[] = [1000, 2000, 4000]
const healingClientErrors = new Set([408, 425, 429])
/** Not implemented, version not supported, and the like: the server will say so again. */
const lastingServerErrors = new Set([501, 505, 506, 510])

/** All other statuses are answers: recorded as they came. */
export function statusHeals(status: number): boolean {
  return (status >= 500 && status < 600 && !lastingServerErrors.has(status)) || healingClientErrors.has(status)
}

/** `attempts`: those that failed before this one. As many retries as there are delays. */
export function followsAnswer(status: number, attempts: number, delaysMs = defaultDelaysMs): WhatFollows {
  return statusHeals(status) ? retryOrDead(`status-${status}`, attempts, delaysMs) : { kind: 'done' }
}

export function followsFailure(code: FailureCode, attempts: number, delaysMs = defaultDelaysMs): WhatFollows {
  const prospect = prospects[code]
  if (prospect === 'unspent') return { kind: 'retry', afterMs: 0, reason: code }
  return prospect === 'heals' ? retryOrDead(code, attempts, delaysMs) : { kind: 'dead', reason: code }
}

function retryOrDead(reason: string, attempts: number, delaysMs: readonly number[]): WhatFollows {
  const afterMs = delaysMs[attempts]
  return afterMs === undefined ? { kind: 'dead', reason } : { kind: 'retry', afterMs, reason }
}
