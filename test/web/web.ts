import type { LookupFunction } from 'node:net'
import type { Headers, Scheme } from './answer.ts'
import { type Bodies, bodies } from './bodies.ts'
import { canonicalPath } from './canonical.ts'
import { conduct, type Violation } from './conduct.ts'
import { dispatch } from './dispatch.ts'
import type { Reply } from './dns/message.ts'
import { responseCode } from './dns/message.ts'
import { startDnsServer } from './dns/server.ts'
import { epochMs } from './document.ts'
import { type Expected, expected } from './expected.ts'
import type { Host } from './host.ts'
import { behaving, identities, loopbackAddress } from './hosts.ts'
import { hasManyLoopbackAddresses, listeners } from './listeners.ts'
import { fetchCounts, type LogEntry, minGapMs } from './log.ts'
import type { WebOptions } from './options.ts'
import { respond, type ServerReply, type ServerRequest } from './respond.ts'
import { createAuthority } from './tls/authority.ts'

/** A small internet on loopback, the same for the same seed and ports. Disposing it closes every connection. */
export interface TestWeb extends AsyncDisposable {
  readonly options: WebOptions
  readonly seed: string
  readonly httpPort: number
  readonly httpsPort: number
  /** `127.0.0.1:PORT` of its name server. */
  readonly dns: string
  /** Questions so far, by name. */
  readonly dnsQueries: ReadonlyMap<string, number>
  /** PEM that clients must trust. */
  readonly caCertificate: string
  readonly hosts: readonly Host[]
  /** `/` of every host: together they lead to all that is expected. */
  readonly seeds: readonly string[]
  /** The time that changing pages see. It stands still but for `advance`. */
  readonly now: number
  advance(ms: number): void
  /** What a whole crawl must end with, at this time. */
  expected(): Expected
  /** Every request so far, in order of arrival. */
  readonly requests: readonly LogEntry[]
  log(host: string): LogEntry[]
  /** Shortest time between the starts of two requests to a host, robots.txt left out when asked. */
  minGapMs(host: string, options?: { readonly withoutRobots?: boolean }): number
  robotsViolations(): readonly Violation[]
  rateViolations(): readonly Violation[]
  /** Requests answered with Retry-After, by host. */
  readonly limited: ReadonlyMap<string, number>
  /** Requests for each canonical URL, of those that pass the filter. */
  fetchCounts(filter?: (entry: LogEntry) => boolean): Map<string, number>
  /** Renders and compresses all steady pages now, so that a benchmark does not pay for it. */
  prepare(): void
  /** For `node:http`: resolves names without the name server. */
  readonly lookup: LookupFunction
}

export async function startTestWeb(options: WebOptions): Promise<TestWeb> {
  await using stack = new AsyncDisposableStack()
  const seed = options.seed ?? 'orbweaver'
  const addressOf = (await hasManyLoopbackAddresses()) ? loopbackAddress : () => '127.0.0.1'
  const authority = createAuthority(Date.now())
  const pages = bodies()
  const watch = conduct()
  const requests: LogEntry[] = []
  const byName = new Map<string, Host>()
  let now = epochMs

  function handle(scheme: Scheme, request: ServerRequest, reply: ServerReply): void {
    const name = hostName(request)
    const host = byName.get(name)
    const target = request.url ?? '/'
    const entry: LogEntry = {
      atMs: performance.timeOrigin + performance.now(),
      wallMs: Date.now(),
      host: name,
      scheme,
      protocol: request.httpVersionMajor === 2 ? 'h2' : 'http/1.1',
      method: request.method ?? '',
      target,
      url: (host?.originOf[scheme] ?? `${scheme}://${name}`) + target,
      userAgent: request.headers['user-agent'] ?? '',
      status: 0,
    }
    requests.push(entry)
    if (!host) {
      reply.statusCode = 421
      reply.end()
      return
    }
    const path = canonicalPath(target)
    watch.asked(host, path, entry)
    const answer = dispatch(host, { scheme, method: entry.method, path, headers: request.headers, atMs: entry.atMs })
    const onStatus = (status: number, headers: Headers) => {
      entry.status = status
      watch.answered(path, entry, headers['retry-after'])
    }
    respond(answer, request, reply, pages, onStatus).catch((error) => reply.destroy(error))
  }

  const doors = stack.use(
    listeners({
      handle,
      contextOf: (name) => authority.contextOf(name, byName.get(name)?.tls ?? 'good'),
      http1Only: (name) => byName.get(name)?.http1Only ?? false,
    }),
  )
  const nameServer = stack.use(await startDnsServer((name) => dnsReply(byName.get(name))))

  // Ports are part of the pages, so they must be known before the hosts are; the first door tells them.
  const first = addressOf(0)
  const ports = {
    http: await doors.open('http', [first], options.httpPort ?? 0),
    https: await doors.open('https', [first], options.httpsPort ?? 0),
  }
  const world = { seed, hosts: identities(options.hosts, ports, addressOf), now: () => now }
  const hosts = behaving(world)
  for (const host of hosts) byName.set(host.name, host)
  const addresses = [...new Set(hosts.filter((host) => !host.deaf).map((host) => host.address))]
  const others = addresses.filter((address) => address !== first)
  await doors.open('http', others, ports.http)
  await doors.open('https', others, ports.https)

  const log = (name: string) => requests.filter((entry) => entry.host === name)
  const closing = stack.move()
  return {
    options,
    seed,
    httpPort: ports.http,
    httpsPort: ports.https,
    dns: nameServer.address,
    dnsQueries: nameServer.queries,
    caCertificate: authority.certificate,
    hosts,
    seeds: hosts.map((host) => `${host.origin}/`),
    get now() {
      return now
    },
    advance: (ms) => {
      now += ms
    },
    expected: () => expected(hosts),
    requests,
    log,
    minGapMs: (name, { withoutRobots = false } = {}) =>
      minGapMs(log(name).filter((entry) => !(withoutRobots && entry.target === '/robots.txt'))),
    robotsViolations: () => watch.robotsViolations,
    rateViolations: () => watch.rateViolations,
    limited: watch.limited,
    fetchCounts: (filter = () => true) => fetchCounts(requests.filter(filter)),
    prepare: () => {
      for (const host of hosts) prepare(host, pages)
    },
    lookup: (name, { all }, answer) => {
      const address = byName.get(name)?.address ?? '127.0.0.1'
      if (all) answer(null, [{ address, family: 4 }])
      else answer(null, address, 4)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

function hostName(request: ServerRequest): string {
  const authority = request.headers.host ?? String(request.headers[':authority'] ?? '')
  return authority.split(':', 1)[0]!.toLowerCase()
}

function prepare(host: Host, pages: Bodies): void {
  if (host.changes) return
  for (let page = 0; page < host.graph.pages; page++)
    pages.negotiate(() => host.documentOf(page), host.name + host.graph.path(page), {})
}

function dnsReply(host: Host | undefined): Reply | undefined {
  const ttlSeconds = host?.spec.ttlSeconds ?? 300
  switch (host?.dns ?? (host ? 'address' : 'not-found')) {
    case 'address':
      return { code: responseCode.ok, addresses: [host?.address ?? ''], ttlSeconds }
    case 'not-found':
      return { code: responseCode.nameError, addresses: [], ttlSeconds }
    case 'failed':
      return { code: responseCode.serverFailure, addresses: [], ttlSeconds }
    case 'private':
      return { code: responseCode.ok, addresses: ['10.255.255.1'], ttlSeconds }
    case 'silent':
      return undefined
  }
}
