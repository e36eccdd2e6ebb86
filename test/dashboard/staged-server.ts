import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OperationName, paths } from '../../src/server/api/paths.ts'
import type { AnswerOf, Route } from '../../src/server/api/route.ts'
import { type Routes, routes } from '../../src/server/api/routes.ts'
import type { Snapshot } from '../../src/server/api/schemas/overview.ts'
import { type Dashboard, openDashboard } from '../../src/server/dashboard/files.ts'
import { isLines } from '../../src/server/lines.ts'

/** What a staged operation is asked. */
export interface Question {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Answers that a test has prepared, for those operations that its pages ask; `undefined` is answered as 404. */
export type Stage = { readonly [Name in OperationName]?: (question: Question) => AnswerOf<Routes[Name]> | undefined }

export interface StagedServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Operations that were asked, in order. */
  readonly asked: readonly OperationName[]
}

/**
 * The dashboard over a stage instead of a crawl: for what cannot be had from a real one in a second, such as a million hosts
 * or a server that goes away. Every answer must fit the schema of the API, so the stage cannot drift away from it.
 */
export async function stagedServer(stage: Stage, snapshot: () => Snapshot, port = 0): Promise<StagedServer> {
  const dashboard = await openDashboard()
  const asked: OperationName[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stage')
    if (pathname === '/v1/events') return tellEachSecond(response, snapshot)
    const found = operationAt(request.method!, pathname)
    if (!found) return answerFile(dashboard, pathname, request, response)
    asked.push(found.name)
    const body = request.method === 'GET' ? undefined : JSON.parse(await textOf(request))
    answerStaged(stage, found.name, { params: found.params, query: searchParams, body }, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${bound}`, port: bound, asked, [Symbol.asyncDispose]: () => closed(server) }
}

function answerStaged(stage: Stage, name: OperationName, question: Question, response: ServerResponse): void {
  const answer = stage[name]?.(question)
  const { answer: shape }: Route = routes[name]
  if (answer === undefined) problem(response, 404, `Nothing is staged for ${name}.`)
  else if (typeof shape === 'string' || isLines(shape))
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(String(answer))
  else {
    const { success, data, error } = shape.safeParse(answer)
    if (success) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data))
    else problem(response, 500, error.message)
  }
}

function problem(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' })
  response.end(JSON.stringify({ type: 'about:blank', title: 'Staged', status, detail }))
}

function answerFile(dashboard: Dashboard, path: string, request: IncomingMessage, response: ServerResponse): void {
  const file = dashboard.answer(path, request.headers)
  if (file) response.writeHead(file.status, file.headers).end(file.body)
  else problem(response, 404, `There is no ${path}.`)
}

function operationAt(method: string, path: string) {
  for (const name of Object.keys(paths) as OperationName[]) {
    const [itsMethod, itsPath] = paths[name].split(' ') as [string, string]
    const pattern = itsPath.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const match = method === itsMethod ? new RegExp(`^${pattern}$`).exec(path) : null
    if (!match) continue
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])
    return { name, params: Object.fromEntries(params) as Record<string, string> }
  }
  return undefined
}

function tellEachSecond(response: ServerResponse, snapshot: () => Snapshot): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const tell = () => response.write(`event: snapshot\ndata: ${JSON.stringify(snapshot())}\n\n`)
  tell()
  const timer = setInterval(tell, 1000)
  response.on('close', () => clearInterval(timer))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text === '' ? '{}' : text
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
