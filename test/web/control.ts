import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestWeb } from './web.ts'

/** Lets another process look into a test web and move its time. */
export interface Control extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
}

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

export async function startControl(web: TestWeb): Promise<Control> {
  const server = createServer((request, reply) => {
    const view = viewOf(web, request)
    reply.writeHead(view === undefined ? 404 : 200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(view ?? { views: Object.keys(views) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
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
