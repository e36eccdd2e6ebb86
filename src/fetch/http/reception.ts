import type { FetchConfig } from '../config.ts'
import type { FetchOptions } from '../fetcher.ts'
import type { HeldBytes, Receiver } from '../held-bytes.ts'
import { type FailureCode, type Header, header } from '../outcome.ts'
import { type AnswerControl, type AnswerReceiver, ClosedEarly } from './answer-receiver.ts'
import { BodyBytes } from './body-bytes.ts'
import { type BodyLimit, bodyLimit } from './body-limit.ts'
import type { Connection } from './connection.ts'
import type { Timed } from './deadlines.ts'
import { FetchFailure, failureOf, type Stage } from './failure-codes.ts'

export interface Received {
  /** When the attempt began; of a request that stood in line behind others, when it was its turn. */
  readonly startedAt: number
  readonly status: number
  readonly statusText: string
  readonly headers: readonly Header[]
  readonly rawBody: Buffer
  readonly maxBytes: number
  readonly truncated: 'bytes' | 'time' | 'length' | null
  /** For so long we did not read what may have been there. */
  readonly pausedMs: number
}

export interface ReceptionEnd {
  received(received: Received): void
  failed(code: FailureCode, detail: string): void
}

type Phase = 'opening' | 'waiting' | 'body' | 'over'

/**
 * Receives one answer under all limits of time and size. Ends exactly once, by calling one function of its `end`,
 * whatever server, network or caller do; what comes later is ignored.
 */
export class Reception implements AnswerReceiver, Timed, Receiver {
  readonly #config: FetchConfig
  readonly #connection: Connection
  readonly #options: FetchOptions | undefined
  /** Requests on the connection up to and with this one: those ahead of it take their time first. */
  readonly #inLine: number
  #startedAt: number
  readonly #now: () => number
  readonly #held: HeldBytes
  readonly #end: ReceptionEnd
  #phase: Phase = 'opening'
  #control: AnswerControl | undefined
  /** When the phase began, or the last piece of the body came. */
  #movedAt = 0
  #status = 0
  #statusText = ''
  #headers: readonly Header[] = []
  #limit: Extract<BodyLimit, { kind: 'read' }> = { kind: 'read', maxBytes: 0, isPage: false }
  #body: BodyBytes | undefined
  #receivedBytes = 0
  #pausedAt: number | undefined
  #pausedMs = 0

  constructor(
    config: FetchConfig,
    connection: Connection,
    options: FetchOptions | undefined,
    startedAt: number,
    now: () => number,
    held: HeldBytes,
    end: ReceptionEnd,
  ) {
    this.#config = config
    this.#connection = connection
    this.#options = options
    this.#inLine = connection.inFlight
    this.#startedAt = startedAt
    this.#now = now
    this.#held = held
    this.#end = end
  }

  began(control: AnswerControl) {
    if (this.#phase === 'over') return control.abort(new FetchFailure('cancelled', 'over before it began'))
    this.#control = control
    this.#movedAt = this.#now()
    if (this.#movedAt >= (this.#options?.sendBefore ?? Number.POSITIVE_INFINITY))
      return this.fail('cancelled', 'it was too late to ask')
    this.#phase = 'waiting'
    if (this.#inLine > 1) {
      this.#startedAt = this.#movedAt
      this.#pausedMs = 0
    }
    this.#options?.onSent?.()
  }

  head(status: number, statusText: string, headers: readonly Header[]) {
    if (this.#phase === 'over') return
    this.#phase = 'body'
    this.#movedAt = this.#now()
    this.#status = status
    this.#statusText = statusText
    this.#headers = headers
    if (this.#headers.length > this.#config.maxHeaders)
      return this.fail('protocol', `${this.#headers.length} headers, ${this.#config.maxHeaders} allowed`)
    const limit = bodyLimit(status, this.#headers, this.#config, this.#options?.cutAtBytes)
    if (limit.kind === 'refuse') return this.fail('body-too-large', limit.detail)
    this.#limit = limit
    this.#body = new BodyBytes(Math.min(Number(header(headers, 'content-length') ?? 0) || 0, limit.maxBytes))
    this.#held.begin(this)
  }

  piece(bytes: Buffer) {
    if (this.#phase === 'over') return
    this.#movedAt = this.#now()
    const room = this.#limit.maxBytes - this.#receivedBytes
    this.#receivedBytes += bytes.length
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes
    this.#body?.add(kept)
    this.#held.add(this, kept.length)
    if (bytes.length > room) this.#finish('bytes')
  }

  ended() {
    // Of HTTP/2: undici takes a reset for the end of an answer without a length.
    if (this.#wasReset()) return this.fail('reset', 'the connection was reset within the body')
    this.#finish(null)
  }

  failed(error: Error) {
    const wasReset = this.#wasReset()
    if (this.#phase === 'body' && this.#receivedBytes > 0 && endedEarly(error) && !wasReset)
      return this.#finish('length')
    const { code, detail } = failureOf(error, this.#stage())
    this.fail(wasReset ? 'reset' : code, detail)
  }

  check(now: number) {
    if (this.#options?.signal?.aborted) return this.fail('cancelled', 'stopped by the caller')
    // It is we who do not read: the server cannot be late.
    if (this.#pausedAt !== undefined) return
    const idleMs = now - this.#movedAt
    const earnedMs = (this.#receivedBytes / this.#config.minBytesPerSecond) * 1000
    const isLate = now - this.#startedAt - this.#pausedMs >= this.#config.totalTimeoutMs + earnedMs
    switch (this.#phase) {
      case 'opening':
        if (now - this.#startedAt - this.#pausedMs >= this.#config.totalTimeoutMs * this.#inLine)
          this.fail('connect-timeout', `no connection within ${now - this.#startedAt} ms`)
        return
      case 'waiting':
        if (isLate || idleMs >= this.#config.firstByteTimeoutMs)
          this.fail('first-byte-timeout', `no answer ${idleMs} ms after the request`)
        return
      case 'body':
        if (idleMs >= this.#config.bodyTimeoutMs) this.#outOfTime('body-timeout', `nothing came for ${idleMs} ms`)
        else if (isLate)
          this.#outOfTime('total-timeout', `${this.#receivedBytes} bytes after ${now - this.#startedAt} ms`)
        return
      case 'over':
        return
      default:
        return this.#phase satisfies never
    }
  }

  stoodStill(ms: number, now: number) {
    // Counted when it goes on.
    if (this.#pausedAt !== undefined) return
    this.#movedAt = Math.min(now, this.#movedAt + ms)
    this.#pausedMs = Math.min(now - this.#startedAt, this.#pausedMs + ms)
  }

  pause() {
    this.#pausedAt = this.#now()
    this.#control?.pause()
  }

  resume() {
    this.#movedAt = this.#now()
    this.#pausedMs += this.#movedAt - (this.#pausedAt ?? this.#movedAt)
    this.#pausedAt = undefined
    this.#control?.resume()
  }

  fail(code: FailureCode, detail: string) {
    if (this.#phase === 'over') return
    this.#phase = 'over'
    this.#body = undefined
    this.#held.drop(this)
    this.#control?.abort(new FetchFailure(code, detail))
    this.#end.failed(code, detail)
  }

  /** Half a page may heal and be whole next time; what is not parsed may as well end here, such as a live stream. */
  #outOfTime(code: FailureCode, detail: string) {
    if (this.#limit.isPage || this.#receivedBytes === 0) this.fail(code, detail)
    else this.#finish('time')
  }

  #finish(truncated: Received['truncated']) {
    if (this.#phase === 'over') return
    this.#phase = 'over'
    const rawBody = this.#body?.whole() ?? noBytes
    this.#body = undefined
    this.#held.complete(this, rawBody.length)
    if (truncated) this.#control?.abort(new FetchFailure('cancelled', 'enough'))
    this.#end.received({
      startedAt: this.#startedAt,
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      rawBody,
      maxBytes: this.#limit.maxBytes,
      truncated,
      pausedMs: this.#pausedMs,
    })
  }

  #stage(): Stage {
    if (this.#phase === 'opening') return 'connect'
    return this.#phase === 'waiting' && !this.#connection.opened?.socket.readableEnded ? 'head' : 'body'
  }

  #wasReset(): boolean {
    const { errored } = this.#connection.opened?.socket ?? {}
    return (errored as NodeJS.ErrnoException | null | undefined)?.code === 'ECONNRESET'
  }
}

const noBytes = Buffer.alloc(0)

/** The server closed in good order, but before the length it had announced. */
function endedEarly(error: Error): boolean {
  if (error instanceof ClosedEarly) return true
  const { code, message } = error as NodeJS.ErrnoException
  return (
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || (code === 'UND_ERR_SOCKET' && message === 'other side closed')
  )
}
