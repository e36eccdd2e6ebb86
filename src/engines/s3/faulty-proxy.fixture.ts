import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of one request on its way. */
export type Mishap =
  | 'none'
  /** S3 answers 500 and does nothing. */
  | 'error'
  /** Something before S3 answers, and not in its language. */
  | 'bad-gateway'
  /** S3 asks to slow down, and does nothing. */
  | 'slow-down'
  /** The connection breaks before S3 hears of it. */
  | 'cut-before'
  /** S3 acts, but its answer is lost. */
  | 'answer-lost'
  /** The connection breaks in the middle of the answer's body. */
  | 'cut-within'
  /** S3 cannot do this. */
  | 'not-implemented'

const REFUSALS: ReadonlyMap<Mishap, readonly [status: number, code: string]> = new Map([
  ['error', [500, 'InternalError']],
  ['slow-down', [503, 'SlowDown']],
  ['not-implemented', [501, 'NotImplemented']],
])

/** Stands before S3 and lets things go wrong. The signature covers the host that the client knows, so it passes as it is. */
export class FaultyProxy implements AsyncDisposable {
  /** Asked for each request. */
  mishap: (request: IncomingMessage) => Mishap = () => 'none'
  readonly requests: string[] = []
  readonly #server = createServer((from, to) => this.#pass(from, to))
  readonly #target: URL

  constructor(target: string) {
    this.#target = new URL(target)
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo
    return `http://${this.#target.username}:${this.#target.password}@127.0.0.1:${port}`
  }

  #pass(from: IncomingMessage, to: ServerResponse): void {
    this.requests.push(`${from.method} ${from.url}`)
    const mishap = this.mishap(from)
    if (mishap === 'cut-before') return void from.socket.destroy()
    if (mishap === 'bad-gateway') return void answerAfterBody(from, to, 502, '<html><p>Bad gateway<br></html>')
    const refusal = REFUSALS.get(mishap)
    if (refusal) return void answerAfterBody(from, to, refusal[0], errorText(refusal[1]))
    const { hostname, port } = this.#target
    const onward = request({ hostname, port, method: from.method, path: from.url, headers: from.headers })
    onward.on('response', (answer) => void this.#answer(mishap, answer, to))
    onward.on('error', () => from.socket.destroy())
    from.pipe(onward)
  }

  async #answer(mishap: Mishap, answer: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = Buffer.concat(await answer.toArray())
    if (mishap === 'answer-lost') return void to.socket?.destroy()
    to.writeHead(answer.statusCode ?? 500, answer.headers)
    if (mishap !== 'cut-within' || body.length < 2) return void to.end(body)
    to.write(body.subarray(0, body.length / 2), () => to.socket?.destroy())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

/** As S3 does it: after the body was read, so that the client hears the answer. */
function answerAfterBody(from: IncomingMessage, to: ServerResponse, status: number, text: string): void {
  from.resume().on('end', () => to.writeHead(status).end(text))
}

const errorText = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} for a test</Message></Error>`
