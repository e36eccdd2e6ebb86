import type { FailureCode } from '../fetch/outcome.ts'
import type { ReasonClass } from '../server/api/schemas/dead-letter.ts'

const failures: Readonly<Record<FailureCode, ReasonClass>> = {
  'dns-not-found': 'dns',
  'dns-failed': 'dns',
  'address-refused': 'network',
  'connect-refused': 'network',
  'connect-timeout': 'network',
  'connect-failed': 'network',
  'tls-expired': 'tls',
  'tls-wrong-name': 'tls',
  'tls-untrusted': 'tls',
  'tls-invalid': 'tls',
  'first-byte-timeout': 'network',
  'body-timeout': 'limit',
  'total-timeout': 'limit',
  reset: 'network',
  protocol: 'content',
  'body-too-large': 'limit',
  'inflate-too-large': 'limit',
  'bad-encoding': 'content',
  cancelled: 'program',
  'reader-died': 'program',
}

const others: readonly (readonly [RegExp, ReasonClass])[] = [
  [/^status-/, 'server'],
  [/^robots/, 'robots'],
  [/^(retry-after|circuit-open|paused-by-operator)$/, 'waiting'],
]

/** What a dead letter's reason means for who looks after the crawl. */
export function reasonClass(reason: string | null): ReasonClass {
  const text = reason ?? ''
  if (Object.hasOwn(failures, text)) return failures[text as FailureCode]
  return others.find(([fits]) => fits.test(text))?.[1] ?? 'other'
}
