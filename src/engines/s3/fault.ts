import { certificateFault } from '../certificate-fault.ts'

/** What an answer of S3, or the lack of one, means for whoever asked. */
export type S3Fault =
  /** No such object. */
  | 'missing'
  /** The object ends before the range begins. */
  | 'beyond'
  /** Somebody else has written meanwhile, or has ended this upload. */
  | 'contested'
  /** A repetition may help. */
  | 'away'
  | 'denied'
  | 'no-bucket'
  | 'other'

const BY_NAME: Readonly<Record<string, S3Fault>> = {
  NoSuchKey: 'missing',
  NotFound: 'missing',
  InvalidRange: 'beyond',
  NoSuchUpload: 'contested',
  PreconditionFailed: 'contested',
  ConditionalRequestConflict: 'contested',
  NoSuchBucket: 'no-bucket',
  InvalidAccessKeyId: 'denied',
  // Versity's word for it, which comes with status 404.
  XAdminUserNotFound: 'denied',
  SignatureDoesNotMatch: 'denied',
  ExpiredToken: 'away',
  RequestTimeTooSkewed: 'away',
  RequestTimeout: 'away',
  SlowDown: 'away',
  OperationAborted: 'away',
}

const BY_STATUS: Readonly<Record<number, S3Fault>> = {
  401: 'denied',
  403: 'denied',
  404: 'missing',
  408: 'away',
  409: 'contested',
  412: 'contested',
  416: 'beyond',
  429: 'away',
  501: 'other',
}

export function faultOf(error: unknown): S3Fault {
  const { name = '', Code, $metadata } = error as AnswerOfS3
  const named = BY_NAME[Code ?? name] ?? BY_NAME[name]
  if (named) return named
  const status = $metadata?.httpStatusCode
  if (status === undefined) return isProgramFault(error) ? 'other' : 'away'
  return BY_STATUS[status] ?? (status >= 500 || status < 400 ? 'away' : 'other')
}

/** What S3, or the system, said about it, in few words. */
export function reasonOf(error: unknown): string {
  const { name = 'Error', Code, message = '', code = '', $metadata } = error as AnswerOfS3
  const status = $metadata?.httpStatusCode
  if (status === undefined) {
    const untrusted = certificateFault(error, 'engines.s3.caFile')
    if (untrusted) return untrusted
    if (code === 'EPROTO') return 'it does not speak TLS (http:// in engines.s3.endpoint)'
  }
  const said = message === '' || message === 'UnknownError' ? code || Code || name : message
  return (status === undefined ? said : `${status} ${said}`).replace(/\.$/, '')
}

interface AnswerOfS3 {
  readonly name?: string
  readonly Code?: string
  readonly message?: string
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Nothing was answered: the network's fault, unless the program is wrong or has no keys to sign with. */
const isProgramFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || (error as Error).name === 'CredentialsProviderError'
