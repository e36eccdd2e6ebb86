import type { Headers, Scheme } from './answer.ts'
import { type Bodies, bodies } from './bodies.ts'
import { canonicalPath } from './canonical.ts'
import { type Conduct, conduct } from './conduct.ts'
import { dispatch } from './dispatch.ts'
import type { Host } from './host.ts'
import type { HostNames } from './host-names.ts'
import type { LogEntry } from './log.ts'
import { respond, type ServerReply, type ServerRequest } from './respond.ts'

/** Answers requests for the hosts it knows by name, and remembers every one of them. */
export interface Service {
  readonly requests: readonly LogEntry[]
  readonly watch: Conduct
  readonly pages: Bodies
  handle(scheme: Scheme, request: ServerRequest, reply: ServerReply): void
}

export function serve(hosts: Pick<HostNames, 'get'>, lagMs: () => number): Service {
  const requests: LogEntry[] = []
  const watch = conduct(lagMs)
  const pages = bodies()

  function handle(scheme: Scheme, request: ServerRequest, reply: ServerReply): void {
    const host = hosts.get(hostName(request))
    const entry = logEntry(scheme, request, host)
    requests.push(entry)
    if (!host) {
      misdirected(reply, entry)
      return
    }
    const path = canonicalPath(entry.target)
    watch.asked(host, path, entry)
    const answer = dispatch(host, { scheme, method: entry.method, path, headers: request.headers, atMs: entry.atMs })
    const onStatus = (status: number, headers: Headers) => {
      entry.status = status
      watch.answered(path, entry, headers['retry-after'])
    }
    respond(answer, request, reply, pages, onStatus).catch((error) => reply.destroy(error))
  }

  return { requests, watch, pages, handle }
}

function logEntry(scheme: Scheme, request: ServerRequest, host: Host | undefined): LogEntry {
  const name = host?.name ?? hostName(request)
  const target = request.url ?? '/'
  return {
    atMs: performance.timeOrigin + performance.now(),
    wallMs: Date.now(),
    host: name,
    scheme,
    protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
    method: request.method ?? '',
    target,
    url: (host?.originOf[scheme] ?? `${scheme}://${name}`) + target,
    userAgent: request.headers['user-agent'] ?? '',
    madeBy: Number(request.headers['x-made-by'] ?? 0),
    status: 0,
  }
}

function misdirected(reply: ServerReply, entry: LogEntry): void {
  entry.status = 421
  reply.statusCode = 421
  reply.end()
}

function hostName(request: ServerRequest): string {
  const authority = request.headers.host ?? String(request.headers[':authority'] ?? '')
  return authority.split(':', 1)[0]!.toLowerCase()
}
