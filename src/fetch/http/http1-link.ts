import type { AnswerHead } from './answer-head.ts'
import { AnswerParser, type AnswerParts } from './answer-parser.ts'
import { type AnswerControl, type AnswerReceiver, ClosedEarly, type OutgoingRequest } from './answer-receiver.ts'
import type { Opened } from './connector.ts'
import { FetchFailure } from './failure-codes.ts'
import { requestHead } from './request-headers.ts'

export interface Http1LinkOptions {
  readonly host: string
  readonly maxHeaderBytes: number
  readonly keepAliveMs: number
  readonly maxKeepAliveMs: number
  /** The answer is over, or the socket closed. */
  readonly onFree: () => void
}

/** So much earlier than the server we give an idle connection up, so that no request meets its end. */
const keepAliveMarginMs = 2000

/** HTTP/1.1 on one socket, one request at a time. */
export class Http1Link implements AnswerControl, AnswerParts {
  readonly #opened: Opened
  readonly #options: Http1LinkOptions
  readonly #parser: AnswerParser
  #receiver: AnswerReceiver | undefined
  #head: AnswerHead | undefined
  #isPaused = false
  #idleTimer: NodeJS.Timeout | undefined
  #idleMs = 0

  constructor(opened: Opened, options: Http1LinkOptions) {
    this.#opened = opened
    this.#options = options
    this.#parser = new AnswerParser(options.maxHeaderBytes, this)
    opened.read((bytes) => this.#read(bytes))
    opened.socket.on('end', () => this.#ended())
    opened.socket.on('error', (error) => this.#fail(error))
    opened.socket.on('close', () => {
      clearTimeout(this.#idleTimer)
      this.#fail(new ClosedEarly())
      options.onFree()
    })
  }

  get isOpen(): boolean {
    return !this.#opened.socket.destroyed
  }

  get isFree(): boolean {
    return this.#receiver === undefined && this.isOpen
  }

  send(request: OutgoingRequest, receiver: AnswerReceiver): void {
    this.#receiver = receiver
    this.#head = undefined
    this.#parser.begin()
    receiver.began(this)
    // It may have given up at once.
    if (this.#receiver === receiver) this.#opened.socket.write(requestHead(this.#options.host, request), 'latin1')
  }

  pause(): void {
    this.#isPaused = true
    this.#opened.socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#opened.socket.resume()
  }

  abort(error: Error): void {
    this.#fail(error)
  }

  destroy(): void {
    this.#opened.socket.destroy()
  }

  head(head: AnswerHead): void {
    this.#head = head
    this.#receiver?.head(head.status, head.statusText, head.headers)
  }

  piece(bytes: Buffer): void {
    this.#receiver?.piece(bytes)
  }

  end(isClean: boolean): void {
    const receiver = this.#receiver
    const head = this.#head
    this.#receiver = undefined
    // Told to wait within its last piece, it had nothing to wait for; the next answer shall be read.
    if (this.#isPaused) this.resume()
    const idleMs = head?.keepsAlive && isClean ? this.#keepFor(head.keepAliveSeconds) : 0
    if (idleMs > 0) this.#restFor(idleMs)
    else this.destroy()
    receiver?.ended()
    if (idleMs > 0) this.#options.onFree()
  }

  #read(bytes: Buffer): void {
    const fault = this.#parser.take(bytes)
    if (fault === undefined) return
    this.#fail(new FetchFailure('protocol', fault))
    this.destroy()
  }

  #ended(): void {
    if (!this.#parser.close()) this.#fail(new ClosedEarly())
    this.destroy()
  }

  #fail(error: Error): void {
    const receiver = this.#receiver
    if (!receiver) return
    this.#receiver = undefined
    this.#parser.stop()
    this.destroy()
    receiver.failed(error)
  }

  #keepFor(seconds: number | undefined): number {
    const { keepAliveMs, maxKeepAliveMs } = this.#options
    return seconds === undefined ? keepAliveMs : Math.min(seconds * 1000 - keepAliveMarginMs, maxKeepAliveMs)
  }

  /** One timer for the life of the link, wound up anew when it falls idle: what it finds at work it leaves alone. */
  #restFor(idleMs: number): void {
    if (this.#idleTimer && this.#idleMs === idleMs) {
      this.#idleTimer.refresh()
      return
    }
    clearTimeout(this.#idleTimer)
    this.#idleMs = idleMs
    this.#idleTimer = setTimeout(() => {
      if (this.isFree) this.destroy()
    }, idleMs).unref()
  }
}
