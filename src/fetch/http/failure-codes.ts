import type { FailureCode } from '../outcome.ts'

/** A failure already in our words, carried through code that only knows errors. */
export class FetchFailure extends Error {
  readonly failureCode: FailureCode

  constructor(failureCode: FailureCode, detail: string) {
    super(detail)
    this.name = 'FetchFailure'
    this.failureCode = failureCode
  }
}

/** How far a fetch had come. */
export type Stage = 'connect' | 'handshake' | 'head' | 'body'

const byCode: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'connect-refused',
  ETIMEDOUT: 'connect-timeout',
  ENETUNREACH: 'connect-failed',
  EHOSTUNREACH: 'connect-failed',
  ENETDOWN: 'connect-failed',
  EHOSTDOWN: 'connect-failed',
  EADDRNOTAVAIL: 'connect-failed',
  EMFILE: 'connect-failed',
  ENFILE: 'connect-failed',
  ENOBUFS: 'connect-failed',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  EPROTO: 'tls-invalid',
  UND_ERR_ABORTED: 'cancelled',
  UND_ERR_CLOSED: 'cancelled',
  UND_ERR_DESTROYED: 'cancelled',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_INVALID_ARG: 'protocol',
}

/** Certificates that cannot be trusted: codes of OpenSSL's verification as Node names them. */
const certificateCode =
  /CERT|^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|CRL_|PATH_LENGTH)/
const expiredCode = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/
const wrongNameCode = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/
const untrustedCode =
  /^(?:DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_(?:UNTRUSTED|REVOKED|REJECTED|CHAIN))/
const tlsCode = /^ERR_(?:SSL|TLS)_/

/** Every error of undici and Node becomes one of our words here, and only here. */
export function failureOf(error: unknown, stage: Stage): { code: FailureCode; detail: string } {
  if (error instanceof FetchFailure) return { code: error.failureCode, detail: error.message }
  const { name = '', code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>
  const detail = code && !message.includes(code) ? `${message} (${code})` : message
  return { code: codeOf(name, code, message, stage), detail }
}

function codeOf(name: string, code: string, message: string, stage: Stage): FailureCode {
  const isConnected = stage === 'head' || stage === 'body'
  if (tlsCode.test(code) || certificateCode.test(code)) return tlsFault(code)
  // Nothing was asked yet, so nothing was cut off: the server would not have us.
  if (stage === 'handshake' && byCode[code] === 'reset') return 'connect-failed'
  if (isConnected && code === 'ETIMEDOUT') return 'reset'
  if (byCode[code]) return byCode[code]
  if (name === 'HTTPParserError') return 'protocol'
  // Two lengths that contradict each other are found in the head, a connection closed too soon in the body.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return stage === 'head' ? 'protocol' : 'reset'
  if (code === 'UND_ERR_SOCKET') return message.startsWith('bad ') ? 'protocol' : 'reset'
  if (code.startsWith('ERR_HTTP2') || message.startsWith('HTTP/2')) return http2Code(message)
  return isConnected ? 'reset' : 'connect-failed'
}

function tlsFault(code: string): FailureCode {
  if (expiredCode.test(code)) return 'tls-expired'
  if (wrongNameCode.test(code)) return 'tls-wrong-name'
  return untrustedCode.test(code) ? 'tls-untrusted' : 'tls-invalid'
}

function http2Code(message: string): FailureCode {
  return /PROTOCOL_ERROR|COMPRESSION_ERROR|FRAME_SIZE_ERROR|FLOW_CONTROL_ERROR|ENHANCE_YOUR_CALM|HTTP_1_1_REQUIRED/.test(
    message,
  )
    ? 'protocol'
    : 'reset'
}
