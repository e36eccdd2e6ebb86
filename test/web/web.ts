import type { LookupFunction } from 'node:net'
import type { Bodies } from './bodies.ts'
import type { Violation } from './conduct.ts'
import { dnsReply } from './dns/reply.ts'
import { startDnsServer } from './dns/server.ts'
import { epochMs } from './document.ts'
import { type Expected, expected } from './expected.ts'
import type { Host } from './host.ts'
import { HostNames } from './host-names.ts'
import { behaving, identities, loopbackAddress, type Ports } from './hosts.ts'
import { measureLag } from './lag.ts'
import { hasManyLoopbackAddresses, type Listeners, listeners } from './listeners.ts'
import { fetchCounts, type LogEntry, minGapMs } from './log.ts'
import type { WebOptions } from './options.ts'
import { type Service, serve } from './serve.ts'
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
  const time = { now: epochMs }
  const byName = new HostNames()
  const lag = stack.use(measureLag())
  const service = serve(byName, lag.now)
  const authority = createAuthority(Date.now())
  const doors = stack.use(
    listeners({
      handle: service.handle,
      contextOf: (name) => authority.contextOf(name, byName.get(name)?.tls ?? 'good'),
      http1Only: (name) => byName.get(name)?.http1Only ?? false,
    }),
  )
  const nameServer = stack.use(await startDnsServer((name) => dnsReply(byName.get(name))))

  const isShared = options.oneAddress ?? !(await hasManyLoopbackAddresses())
  const addressOf = isShared ? () => '127.0.0.1' : loopbackAddress
  // Ports are part of the pages, so they must be known before the hosts are: a door that no host uses tells them.
  const ports = {
    http: await doors.open('http', [addressOf(0)], options.httpPort ?? 0),
    https: await doors.open('https', [addressOf(0)], options.httpsPort ?? 0),
  }
  const hosts = behaving({ seed, hosts: identities(options.hosts, ports, addressOf), now: () => time.now })
  for (const host of hosts) byName.add(host)
  if (!isShared) await openDoors(doors, hosts, ports)

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
      return time.now
    },
    advance: (ms) => {
      time.now += ms
    },
    expected: () => expected(hosts),
    ...observations(service),
    prepare: () => {
      for (const host of hosts) prepare(host, service.pages)
    },
    lookup: (name, { all }, answer) => {
      const address = byName.get(name)?.address ?? '127.0.0.1'
      if (all) answer(null, [{ address, family: 4 }])
      else answer(null, address, 4)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function openDoors(doors: Listeners, hosts: readonly Host[], ports: Ports): Promise<void> {
  const addresses = hosts.filter((host) => !host.deaf).map((host) => host.address)
  await doors.open('http', addresses, ports.http)
  await doors.open('https', addresses, ports.https)
}

function observations({ requests, watch }: Service) {
  const log = (name: string) => requests.filter((entry) => entry.host === name)
  return {
    requests,
    log,
    minGapMs: (name: string, { withoutRobots = false } = {}) =>
      minGapMs(log(name).filter((entry) => !(withoutRobots && entry.target === '/robots.txt'))),
    robotsViolations: () => watch.robotsViolations,
    rateViolations: () => watch.rateViolations,
    limited: watch.limited,
    fetchCounts: (filter: (entry: LogEntry) => boolean = () => true) => fetchCounts(requests.filter(filter)),
  }
}

function prepare(host: Host, pages: Bodies): void {
  if (host.changes) return
  for (let page = 0; page < host.graph.pages; page++)
    pages.negotiate(() => host.documentOf(page), host.name + host.graph.path(page), {})
}
