import { type OperationName, paths } from './api/paths.ts'
import type { AnswerOf, RequestOf } from './api/route.ts'
import type { Routes } from './api/routes.ts'
import type { Snapshot } from './api/schemas/overview.ts'
import type { Problem } from './api/schemas/problem.ts'
import { readEvents } from './read-events.ts'
import { readLines } from './read-lines.ts'

const linesType = 'application/x-ndjson'

/** The server has answered with a problem document (RFC 9457). */
export class ApiError extends Error {
  readonly problem: Problem
  readonly status: number

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'ApiError'
    this.problem = problem
    this.status = problem.status
  }
}

export interface ClientOptions {
  /** Such as `http://127.0.0.1:7070`; in a browser it may be empty. */
  readonly server: string
  readonly token?: string | undefined
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

type Arguments<Request> = object extends Request
  ? [request?: Request, signal?: AbortSignal]
  : [request: Request, signal?: AbortSignal]

/** Every operation of the API as a function that takes what the operation takes and answers what it answers. */
export type Operate = {
  readonly [Name in OperationName]: (...args: Arguments<RequestOf<Routes[Name]>>) => Promise<AnswerOf<Routes[Name]>>
}

export interface Client extends Operate {
  /** A snapshot each second, until the signal is set or the connection ends. */
  events(signal?: AbortSignal): AsyncIterable<Snapshot>
}

interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A client of the API. Nothing is sent before an operation is called. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const base = options.server.replace(/\/+$/, '')
  const credentials = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }

  async function call(name: OperationName, request: AnyRequest = {}, signal?: AbortSignal): Promise<unknown> {
    const [method, path] = paths[name].split(' ') as [string, string]
    const changes = method !== 'GET'
    const response = await send(base + filled(path, request), {
      method,
      headers: { ...credentials, ...(changes ? { 'content-type': 'application/json' } : {}) },
      ...(changes ? { body: JSON.stringify(request.body ?? {}) } : {}),
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) throw new ApiError(await problemOf(response))
    if (response.status === 204) return undefined
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith(linesType)) return valuesOf(response.body!)
    return type.startsWith('application/json') ? response.json() : response.text()
  }

  async function* events(signal?: AbortSignal): AsyncIterable<Snapshot> {
    const response = await send(`${base}/v1/events`, { headers: credentials, ...(signal ? { signal } : {}) })
    if (!response.ok || !response.body) throw new ApiError(await problemOf(response))
    for await (const { event, data } of readEvents(response.body))
      if (event === 'snapshot') yield JSON.parse(data) as Snapshot
  }

  const operations = Object.fromEntries(
    (Object.keys(paths) as OperationName[]).map((name) => [
      name,
      (request?: AnyRequest, signal?: AbortSignal) => call(name, request, signal),
    ]),
  )
  return { ...(operations as unknown as Operate), events }
}

function filled(path: string, { params = {}, query = {} }: AnyRequest): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? place
    : `${place}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

async function* valuesOf(body: ReadableStream<Uint8Array>): AsyncIterable<unknown> {
  for await (const line of readLines(body)) yield JSON.parse(line)
}

/** A proxy in between may answer in its own words. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) return JSON.parse(text) as Problem
  const { status, statusText } = response
  return { type: 'about:blank', title: statusText, status, detail: `The server answered ${status} ${statusText}.` }
}
