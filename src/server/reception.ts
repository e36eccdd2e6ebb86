import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Desk } from './api/handler.ts'
import { handlers } from './api/handlers.ts'
import type { Route } from './api/route.ts'
import type { Role } from './api/schemas/session.ts'
import { authenticate, type Caller, everybody, type TokenCheck } from './auth.ts'
import { type Dashboard, openDashboard } from './dashboard/files.ts'
import { type Events, eventsQuery } from './events.ts'
import { corsHeaders, type Guards, guardChange, guardHost, securityHeaders } from './guards.ts'
import { inTime, type RateLimit, readJson } from './limits.ts'
import { isLines, linesType, sendLines } from './lines.ts'
import { openApiDocument } from './openapi.ts'
import { packedAnswer } from './packing.ts'
import { HttpProblem, problemDocument, problemOf } from './problem.ts'
import { checkedInput, checkedQuery, type Match, matchRoute } from './router.ts'
import { shown } from './secrets.ts'
import { SharedAnswers } from './shared-answers.ts'

export interface ReceptionParts {
  readonly desk: Desk
  readonly events: Events
  readonly guards: Guards
  readonly tokenChecks: readonly TokenCheck[]
  readonly rate: RateLimit
  readonly metricsText: (() => Promise<string>) | undefined
}

type Act = () => Promise<unknown>
type AnyHandler = (desk: Desk, input: unknown, caller: Caller) => Promise<unknown>

/** Takes requests: who may pass, to whom they go, and how the answer looks on the wire. */
export class Reception {
  readonly #parts: ReceptionParts
  readonly #shared: SharedAnswers
  #document: string | undefined
  #dashboard: Promise<Dashboard> | undefined

  constructor(parts: ReceptionParts) {
    this.#parts = parts
    this.#shared = new SharedAnswers(parts.desk.clock)
  }

  async receive(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const { guards, rate } = this.#parts
    for (const [name, value] of Object.entries({ ...securityHeaders, 'x-request-id': id }))
      response.setHeader(name, value)
    for (const [name, value] of Object.entries(corsHeaders(request.headers, guards))) response.setHeader(name, value)
    guardHost(request.headers, guards)
    rate.take(request.socket.remoteAddress ?? '')
    const url = URL.parse(request.url ?? '', 'http://server')
    if (!url) throw new HttpProblem(400, 'The path is not well formed.')
    if (request.method === 'OPTIONS' && response.hasHeader('access-control-allow-origin')) return send(response, 204)
    const path = url.pathname
    if (path === '/v1/events') return this.#follow(request, response, url.searchParams)
    if (path === '/v1/openapi.json') return this.#describe(request, response)
    if (path === '/metrics') return this.#tellMetrics(request, response)
    if (path.startsWith('/v1/') || path === '/healthz' || path === '/readyz')
      return this.#operate(request, response, matchRoute(request.method ?? '', path), url.searchParams)
    return this.#show(request, response, path)
  }

  /** Answers with the problem; answers in words what nobody expected. */
  async explain(error: unknown, response: ServerResponse, id: string): Promise<string | undefined> {
    const problem = problemOf(error)
    if (response.headersSent) response.destroy()
    else {
      for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value)
      const document = JSON.stringify(problemDocument(problem, `urn:uuid:${id}`))
      send(response, problem.status, 'application/problem+json', document)
    }
    const { cause } = problem
    return problem.status === 500 ? ((cause as Error | undefined)?.stack ?? String(cause)) : undefined
  }

  async #operate(request: IncomingMessage, response: ServerResponse, match: Match, query: URLSearchParams) {
    const { name, route, params } = match
    const { desk, guards } = this.#parts
    const caller = await this.#callerOf(request, route.role)
    guardChange(request, guards)
    const body = isReading(request) ? undefined : await readJson(request)
    if (!route.body && !isEmpty(body)) throw new HttpProblem(400, 'This operation takes no more than an empty object.')
    const input = checkedInput(name, { params, query, body })
    const act = () => inTime((handlers[name] as AnyHandler)(desk, input, caller))
    const answer = await this.#answered(act, request, match, caller, body)
    await sendAnswer(request, response, route, answer)
  }

  async #answered(act: Act, request: IncomingMessage, match: Match, caller: Caller, body: unknown): Promise<unknown> {
    if (isReading(request)) return match.route.shared ? this.#shared.to(request.url!, act) : act()
    try {
      return await this.#audited(act, request, match, caller, body)
    } finally {
      this.#shared.forget()
    }
  }

  /** What changes something is written down, whether it succeeds or not. */
  async #audited(act: Act, request: IncomingMessage, match: Match, caller: Caller, body: unknown) {
    const { audit, clock } = this.#parts.desk
    const note = (status: number) =>
      audit.add({
        ...{ at: clock.now(), who: caller.name, role: caller.role, from: request.socket.remoteAddress ?? '' },
        ...{ action: match.name, target: Object.values(match.params).join(' '), status },
        ...(isEmpty(body) ? {} : { details: shortened(shown('', body)) }),
      })
    try {
      const answer = await act()
      await note(match.route.status ?? 200)
      return answer
    } catch (error) {
      await note(problemOf(error).status)
      throw error
    }
  }

  #callerOf({ headers }: IncomingMessage, role: Role | null): Promise<Caller> {
    return role === null
      ? Promise.resolve(everybody)
      : authenticate(headers.authorization, role, this.#parts.tokenChecks)
  }

  async #follow(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    onlyGet(request)
    await this.#callerOf(request, 'viewer')
    const { limit } = checkedQuery(eventsQuery, query)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    if (request.method === 'HEAD') response.end()
    else this.#parts.events.add(response, limit)
  }

  async #describe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    onlyGet(request)
    this.#document ??= JSON.stringify(openApiDocument(this.#parts.tokenChecks.length > 0))
    send(response, 200, 'application/json', this.#document, request.method === 'HEAD')
  }

  async #tellMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    onlyGet(request)
    await this.#callerOf(request, 'viewer')
    const { metricsText = async () => '' } = this.#parts
    const text = await this.#shared.to('/metrics', metricsText)
    send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', text, request.method === 'HEAD')
  }

  /** The app itself is no secret: it asks for a token where one is needed. */
  async #show(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    onlyGet(request)
    this.#dashboard ??= openDashboard()
    const file = (await this.#dashboard).answer(path, request.headers)
    if (!file) throw new HttpProblem(404, `There is nothing at ${path}.`)
    response.writeHead(file.status, { ...file.headers })
    response.end(request.method === 'HEAD' ? undefined : file.body)
  }
}

const isReading = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

function onlyGet(request: IncomingMessage): void {
  if (isReading(request)) return
  throw new HttpProblem(405, 'This can only be read.', { headers: { allow: 'GET, HEAD' } })
}

function isEmpty(body: unknown): boolean {
  if (body === undefined) return true
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

const mostDetails = 2000

function shortened(body: unknown): unknown {
  const text = JSON.stringify(body)
  return text.length <= mostDetails ? body : `${text.slice(0, mostDetails)}…`
}

async function sendAnswer(request: IncomingMessage, response: ServerResponse, route: Route, answer: unknown) {
  const isHead = request.method === 'HEAD'
  if (route.answer === 'nothing') send(response, 204)
  else if (isLines(route.answer)) await answerLines(response, answer as AsyncIterable<unknown>, isHead)
  else if (route.answer === 'text') send(response, 200, 'text/plain; charset=utf-8', String(answer), isHead)
  else {
    const text = wordsOf(answer as object)
    const packed = await packedAnswer(answer as object, text, request.headers['accept-encoding'])
    response.appendHeader('vary', 'accept-encoding')
    if (packed) response.setHeader('content-encoding', 'gzip')
    send(response, route.status ?? 200, 'application/json', packed ?? text, isHead)
  }
}

async function answerLines(response: ServerResponse, values: AsyncIterable<unknown>, isHead: boolean): Promise<void> {
  if (isHead) send(response, 200, linesType, '', isHead)
  else await sendLines(response, values)
}

/** What many are answered at once (an hour of history) is put into words once. */
const words = new WeakMap<object, string>()

function wordsOf(answer: object): string {
  let text = words.get(answer)
  if (text === undefined) {
    text = JSON.stringify(answer)
    words.set(answer, text)
  }
  return text
}

function send(
  response: ServerResponse,
  status: number,
  type?: string,
  body: string | Buffer = '',
  isHead = false,
): void {
  if (type === undefined) {
    response.writeHead(status)
    response.end()
    return
  }
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(isHead ? undefined : body)
}
