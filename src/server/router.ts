import * as z from 'zod'
import { type OperationName, paths } from './api/paths.ts'
import type { Route } from './api/route.ts'
import { routes } from './api/routes.ts'
import { type Fault, HttpProblem } from './problem.ts'

/** An operation that a request names, with the text of its parameters. */
export interface Match {
  readonly name: OperationName
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

interface Place {
  readonly name: OperationName
  readonly method: string
  readonly segments: readonly string[]
}

const places: readonly Place[] = (Object.keys(paths) as OperationName[]).map((name) => {
  const [method, path] = paths[name].split(' ') as [string, string]
  return { name, method, segments: path.split('/') }
})

/** The operation at a path; a problem if there is none, or none for the method. */
export function matchRoute(method: string, path: string): Match {
  const segments = path.split('/')
  const here = places.filter((place) => fits(place.segments, segments))
  if (here.length === 0) throw new HttpProblem(404, `There is nothing at ${path}.`)
  const wanted = method === 'HEAD' ? 'GET' : method
  const found = here.find((place) => place.method === wanted)
  if (!found) {
    const allow = here.flatMap((place) => (place.method === 'GET' ? ['GET', 'HEAD'] : [place.method])).join(', ')
    throw new HttpProblem(405, `${path} can be asked by ${allow}.`, { headers: { allow } })
  }
  return { name: found.name, route: routes[found.name], params: paramsOf(found.segments, segments) }
}

const isParam = (segment: string) => segment.startsWith('{')

/** A fixed segment comes before a parameter of the same place: `/v1/crawls/x/dead/reasons` has no rival here. */
function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (isParam(part) ? segments[i] !== '' : part === segments[i]))
  )
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) if (isParam(part)) params[part.slice(1, -1)] = decoded(segments[i]!)
  return params
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new HttpProblem(400, `"${segment}" in the path is not well encoded.`, { cause })
  }
}

const noQuery = z.strictObject({})

/** What was given, checked; a problem that names every fault at once. */
export function checkedInput<Name extends OperationName>(
  name: Name,
  given: { params: Readonly<Record<string, string>>; query: URLSearchParams; body: unknown },
) {
  const route: Route = routes[name]
  const faults: Fault[] = []
  const input = {
    params: checked('path', route.params, given.params, faults),
    query: checked('query', route.query ?? noQuery, queryValues(route.query ?? noQuery, given.query), faults),
    body: checked('body', route.body, given.body, faults),
  }
  refuse(faults)
  return input
}

/** The same for what is no operation of its own: a query alone. */
export function checkedQuery<Schema extends z.ZodObject>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const faults: Fault[] = []
  const values = checked('query', schema, queryValues(schema, query), faults)
  refuse(faults)
  return values as z.output<Schema>
}

/** Adds what is wrong to the faults. */
function checked(place: string, schema: z.ZodType | undefined, value: unknown, faults: Fault[]) {
  const parsed = schema?.safeParse(value)
  if (parsed && !parsed.success) faults.push(...parsed.error.issues.map((issue) => faultOf(place, issue)))
  return parsed?.data
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const [first] = faults as [Fault, ...Fault[]]
  throw new HttpProblem(400, `The request is not well formed: ${first.at}: ${first.message}.`, { faults })
}

function faultOf(place: string, { path, message, ...issue }: z.core.$ZodIssue): Fault {
  const unknown = issue.code === 'unrecognized_keys' ? `.${issue.keys[0]}` : ''
  return { at: `${[place, ...path.map(String)].join('.')}${unknown}`, message: message.slice(0, 500) }
}

const wholeNumber = /^-?(?:0|[1-9]\d{0,14})$/

/** A query is text: numbers and yes or no are read where the field takes no text. */
function queryValues(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const given = query.getAll(name)
    const [text] = given as [string]
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined
    const value = given.length > 1 || !field || field.safeParse(text).success ? text : scalar(text)
    // Defined, not assigned: a name such as `__proto__` is a name like any other.
    Object.defineProperty(values, name, { value: given.length > 1 ? given : value, enumerable: true })
  }
  return values
}

function scalar(text: string): unknown {
  if (wholeNumber.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}
