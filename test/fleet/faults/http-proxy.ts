import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { random } from '../../web/random.ts'
import type { HttpFault, UnwellAnswer } from './http-fault.ts'

export interface HttpProxyOptions {
  /** `http://host:port` of the engine. */
  readonly target: string
  /** Decides which requests fail: the same seed, the same verdicts in the order of arrival. */
  readonly seed?: number
}

/**
 * Stands before an engine that speaks HTTP, and answers in its place when it is told to. Everything else passes as it is,
 * also the name of the host, which signatures cover. For what happens below HTTP put a NetworkProxy before it or behind.
 */
export class HttpProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  readonly #target: URL
  readonly #chance: (share: number) => boolean
  #fault: HttpFault = { kind: 'pass' }
  #passed = 0
  #failed = 0

  private constructor({ target, seed = 0 }: HttpProxyOptions) {
    this.#target = new URL(target)
    const verdicts = random('verdicts', seed)
    this.#chance = (share) => verdicts.chance(share)
    this.#server = createServer((question, answer) => void this.#serve(question, answer))
  }

  static async start(options: HttpProxyOptions): Promise<HttpProxy> {
    const proxy = new HttpProxy(options)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Requests that the engine has answered, and those that were answered in its place. */
  get counts(): { readonly passed: number; readonly failed: number } {
    return { passed: this.#passed, failed: this.#failed }
  }

  /** For every request that arrives from now on. */
  set(fault: HttpFault): void {
    this.#fault = fault
  }

  async #serve(question: IncomingMessage, answer: ServerResponse): Promise<void> {
    const unwell = this.#verdict(question)
    if (unwell && !unwell.isLate) {
      question.resume()
      return give(answer, unwell.answer)
    }
    try {
      const forwarded = await this.#forward(question)
      if (!unwell) return await relay(forwarded, answer)
      await once(forwarded.resume(), 'end')
      give(answer, unwell.answer)
    } catch {
      // Either side is gone: the client learns it as it would without a proxy, by its connection.
      answer.destroy()
      question.destroy()
    }
  }

  #verdict(question: IncomingMessage): Extract<HttpFault, { kind: 'answer' }> | undefined {
    const fault = this.#fault
    const fails = fault.kind === 'answer' && (fault.only?.(question) ?? true) && this.#chance(fault.share)
    if (fails) this.#failed++
    else this.#passed++
    return fails ? fault : undefined
  }

  async #forward(question: IncomingMessage): Promise<IncomingMessage> {
    const { method, url: path, rawHeaders } = question
    const { hostname, port } = this.#target
    const forwarded = request({ hostname, port, method, path, headers: rawHeaders, agent: this.#agent })
    const answered = once(forwarded, 'response') as Promise<[IncomingMessage]>
    // An engine may answer before it has read everything.
    const [[response]] = await Promise.all([answered, pipeline(question, forwarded)])
    return response
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

async function relay(from: IncomingMessage, to: ServerResponse): Promise<void> {
  to.writeHead(from.statusCode ?? 502, from.rawHeaders)
  await pipeline(from, to)
}

function give(to: ServerResponse, { status, headers = {}, body = '' }: UnwellAnswer): void {
  to.writeHead(status, headers).end(body)
}
