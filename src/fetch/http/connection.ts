import type { FetchConfig } from '../config.ts'
import type { AnswerReceiver, OutgoingRequest } from './answer-receiver.ts'
import type { Opened, Target } from './connector.ts'
import { FetchFailure } from './failure-codes.ts'
import { Http1Link } from './http1-link.ts'
import type { Http2Client } from './http2-client.ts'

export type ConnectionConfig = Pick<FetchConfig, 'keepAliveMs' | 'maxKeepAliveMs' | 'maxHeaderBytes'>

interface InLine {
  readonly request: OutgoingRequest
  readonly receiver: AnswerReceiver
}

/**
 * One connection to an origin, opened when first used and again when it was closed, and what is known of it. What the
 * server speaks is known once it stands: over HTTP/1.1 requests wait in line, over HTTP/2 they go out at once.
 */
export class Connection {
  readonly origin: string
  readonly host: string
  readonly #config: ConnectionConfig
  readonly #open: () => Promise<Opened>
  readonly #onDisconnect: (connection: Connection) => void
  readonly #line: InLine[] = []
  #isOpening = false
  #http1: Http1Link | undefined
  #http2: Http2Client | undefined
  inFlight = 0
  opened: Opened | undefined
  /** Takes no further requests. */
  retired = false
  #isDestroyed = false

  constructor(
    origin: string,
    config: ConnectionConfig,
    open: (target: Target) => Promise<Opened>,
    onDisconnect: (connection: Connection) => void,
  ) {
    const { protocol, host, hostname, port } = new URL(origin)
    this.origin = origin
    this.host = host
    this.#config = config
    const target = {
      protocol,
      hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    this.#open = async () => {
      this.opened = undefined
      this.opened = await open(target)
      return this.opened
    }
    this.#onDisconnect = onDisconnect
  }

  get protocol(): 'http/1.1' | 'h2' {
    return this.opened?.isHttp2 ? 'h2' : 'http/1.1'
  }

  get isOpen(): boolean {
    return this.opened !== undefined && !this.opened.socket.destroyed
  }

  send(request: OutgoingRequest, receiver: AnswerReceiver): void {
    if (this.#http2) this.#http2.send(request, receiver)
    else {
      this.#line.push({ request, receiver })
      this.#goOn()
    }
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true
    this.#failAll(new FetchFailure('cancelled', 'the connection was given up'))
    if (this.#isOpening) return
    await this.#http2?.destroy()
    this.opened?.socket.destroy()
  }

  #goOn(): void {
    if (this.#line.length === 0 || this.#isOpening) return
    if (this.#http1?.isFree) {
      const { request, receiver } = this.#line.shift()!
      this.#http1.send(request, receiver)
    } else if (!this.#http1?.isOpen) void this.#reopen()
  }

  async #reopen(): Promise<void> {
    this.#isOpening = true
    try {
      const opened = await this.#open()
      if (opened.isHttp2) this.#http2 = await this.#speakHttp2(opened)
      else this.#http1 = this.#speakHttp1(opened)
    } catch (error) {
      this.#isOpening = false
      return this.#failAll(error instanceof Error ? error : new Error(String(error)))
    }
    this.#isOpening = false
    if (this.#isDestroyed) await this.destroy()
    else if (this.#http2) for (const { request, receiver } of this.#line.splice(0)) this.#http2.send(request, receiver)
    else this.#goOn()
  }

  #speakHttp1(opened: Opened): Http1Link {
    const { maxHeaderBytes, keepAliveMs, maxKeepAliveMs } = this.#config
    const link = new Http1Link(opened, {
      host: this.host,
      maxHeaderBytes,
      keepAliveMs,
      maxKeepAliveMs,
      onFree: () => {
        if (!link.isOpen) this.#onDisconnect(this)
        this.#goOn()
      },
    })
    return link
  }

  /** Loaded for those who speak it: it costs a tenth of a second. */
  async #speakHttp2(first: Opened): Promise<Http2Client> {
    const { Http2Client } = await import('./http2-client.ts')
    let unused: Opened | undefined = first
    return new Http2Client({
      ...this.#config,
      origin: this.origin,
      open: async () => {
        const opened = unused && !unused.socket.destroyed ? unused : await this.#open()
        unused = undefined
        return opened
      },
      onDisconnect: () => this.#onDisconnect(this),
    })
  }

  #failAll(error: Error): void {
    for (const { receiver } of this.#line.splice(0)) receiver.failed(error)
  }
}
