import type { IncomingMessage } from 'node:http'
import { type JsonViews, serveViews } from './json-views.ts'
import type { TestWeb } from './web.ts'

/** `undefined`: no such thing. */
type View = (web: TestWeb, query: URLSearchParams) => unknown

const views: Readonly<Record<string, View>> = {
  'GET /log': (web, query) => {
    const host = query.get('host')
    return host === null ? web.requests : web.log(host)
  },
  'GET /expected': (web) => mapsAsObjects(web.expected()),
  'GET /violations': (web) => ({ robots: web.robotsViolations(), rate: web.rateViolations() }),
  'GET /counts': (web) => mapsAsObjects({ fetches: web.fetchCounts(), limited: web.limited, dns: web.dnsQueries }),
  'GET /time': (web) => ({ now: web.now }),
  'POST /advance': (web, query) => {
    web.advance(Number(query.get('ms')))
    return { now: web.now }
  },
}

/** Lets another process look into a test web and move its time. */
export function startControl(web: TestWeb): Promise<JsonViews> {
  return serveViews(Object.keys(views), (request) => viewOf(web, request))
}

function viewOf(web: TestWeb, request: IncomingMessage): unknown {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control')
  return views[`${request.method} ${pathname}`]?.(web, searchParams)
}

function mapsAsObjects(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, part instanceof Map ? Object.fromEntries(part) : part]),
  )
}
