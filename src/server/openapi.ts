import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import { version } from '../version.ts'
import { type OperationName, paths } from './api/paths.ts'
import type { Route } from './api/route.ts'
import { routes } from './api/routes.ts'
import { snapshot } from './api/schemas/overview.ts'
import { problem } from './api/schemas/problem.ts'
import { eventsQuery } from './events.ts'
import { isLines, linesType } from './lines.ts'

type Json = Record<string, unknown>

/** The API as an OpenAPI 3.1 document, made of the routes; as it is where tokens are asked for, or where they are not. */
export function openApiDocument(asksForTokens: boolean): Json {
  const places: Record<string, Json> = {}
  for (const name of Object.keys(paths) as OperationName[]) {
    const [method, path] = paths[name].split(' ') as [string, string]
    places[path] = { ...places[path], [method.toLowerCase()]: operation(name, method, routes[name]) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orbweaver',
      version,
      description: 'See and steer crawls. Errors are problem documents (RFC 9457).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values<Route>(routes).map(({ tag }) => tag))].map((name) => ({ name })),
    paths: { ...places, '/v1/events': eventsPath, '/v1/openapi.json': documentPath, '/metrics': metricsPath },
    ...(asksForTokens ? { security: [{ token: [] }] } : {}),
    components: {
      schemas: { Problem: schemaOf(problem, 'output'), Snapshot: schemaOf(snapshot, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: Object.fromEntries(problemStatuses.map((status) => [`Problem${status}`, problemResponse(status)])),
    },
  }
}

const problemStatuses = [400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 503]
const anywhere = [400, 421, 429]

function operation(name: OperationName, method: string, route: Route): Json {
  const { tag, summary, role, params, query, body } = route
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)]
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(role === null ? { security: [] } : { 'x-role': role }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'GET' ? {} : { requestBody: requestBody(body) }),
    responses: { ...answerOf(route), ...problemsOf(method, route) },
  }
}

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: field,
  }))
}

/** Operations that take nothing take an empty object: what changes something is always sent as JSON. */
function requestBody(body: z.ZodType | undefined): Json {
  const schema = body ? schemaOf(body, 'input') : { type: 'object', additionalProperties: false }
  return { required: true, content: { 'application/json': { schema } } }
}

function answerOf({ answer, status = 200 }: Route): Json {
  const description = STATUS_CODES[status]!
  if (answer === 'nothing') return { [status]: { description } }
  if (answer === 'text') return { [status]: { description, content: { 'text/plain': { schema: { type: 'string' } } } } }
  if (isLines(answer)) {
    const line = schemaOf(answer.lines, 'output')
    return {
      [status]: {
        description: 'One JSON value a line',
        content: { [linesType]: { schema: { type: 'string' }, 'x-line': line } },
      },
    }
  }
  return { [status]: { description, content: { 'application/json': { schema: schemaOf(answer, 'output') } } } }
}

function problemsOf(method: string, { role, problems = [], body, params, query }: Route): Json {
  const statuses = new Set([
    ...anywhere,
    ...problems,
    ...(role === null ? [] : [401, 403]),
    ...(method === 'GET' ? [] : [413, 415]),
    ...(body || params || query ? [422] : []),
    ...(role === null ? [] : [503]),
  ])
  const sorted = [...statuses].sort((a, b) => a - b)
  return Object.fromEntries(sorted.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]))
}

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

function problemResponse(status: number): Json {
  return { description: STATUS_CODES[status]!, content: problemContent }
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Answers may get further fields one day.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  }) as Json
  return json
}

function ref(status: number): Json {
  return { $ref: `#/components/responses/Problem${status}` }
}

const readable = { 401: ref(401), 403: ref(403), 421: ref(421), 429: ref(429) }
const secured = { 'x-role': 'viewer' }

/** One event; comments and waiting times are none. */
const snapshotEvent = {
  type: 'object',
  required: ['event', 'id', 'data'],
  properties: {
    event: { const: 'snapshot' },
    id: { type: 'string' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/Snapshot' },
    },
  },
}

const eventsPath = {
  get: {
    operationId: 'followEvents',
    tags: ['overview'],
    summary: 'Server-Sent Events: `snapshot` each second, whose data is a Snapshot as JSON',
    ...secured,
    parameters: parametersIn('query', eventsQuery),
    responses: {
      200: {
        description: 'A stream that ends only where a limit is given',
        content: { 'text/event-stream': { schema: snapshotEvent } },
      },
      400: ref(400),
      ...readable,
    },
  },
}

const documentPath = {
  get: {
    operationId: 'getDocument',
    tags: ['server'],
    summary: 'This document',
    security: [],
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } },
      421: ref(421),
      429: ref(429),
    },
  },
}

const metricsPath = {
  get: {
    operationId: 'getMetrics',
    tags: ['server'],
    summary: 'Metrics as Prometheus reads them',
    ...secured,
    responses: { 200: { description: 'OK', content: { 'text/plain': { schema: { type: 'string' } } } }, ...readable },
  },
}
