import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { type Clock, systemClock } from '../../clock.ts'
import { type FakeResolver, fakeResolver } from '../../dns/adapters/fake/fake-resolver.ts'
import type { CanonicalUrl } from '../../url/keys.ts'
import { type FetchConfig, fetchConfig } from '../config.ts'
import type { Fetcher } from '../fetcher.ts'
import type { HeldBytes } from '../held-bytes.ts'
import type { Exchange, FetchOutcome } from '../outcome.ts'
import { httpFetcher } from './http-fetcher.ts'

export interface TestServer extends AsyncDisposable {
  readonly port: number
  url(path?: string, host?: string): CanonicalUrl
  /** Connections accepted so far. */
  readonly connections: number
  /** Those of them that are still open. */
  readonly open: number
}

export function startHttpServer(listener: RequestListener): Promise<TestServer> {
  return listening(createHttpServer(listener), 'http')
}

/** Speaks whatever the test writes; `answer` is called once the head of a request has come. */
export function startRawServer(answer: (socket: Socket, request: string) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => answer(socket, data.toString('latin1')))
  })
  return listening(server, 'http')
}

export async function listening(server: Server, scheme: 'http' | 'https', address = '127.0.0.1'): Promise<TestServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    url: (path = '/', host = 'site.test') => `${scheme}://${host}:${port}${path}` as CanonicalUrl,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface TestFetcherOptions extends Partial<FetchConfig> {
  readonly names?: Record<string, readonly string[]>
  readonly allowPrivate?: (hostname: string) => boolean
  readonly held?: HeldBytes
  readonly clock?: Clock
}

/** A fetcher for which `site.test` is on loopback, with limits short enough for tests. */
export function testFetcher(options: TestFetcherOptions = {}): Fetcher & { readonly resolver: FakeResolver } {
  const { names, allowPrivate = () => true, held, clock = systemClock(), ...changes } = options
  const resolver = fakeResolver({ 'site.test': ['127.0.0.1'], ...names })
  const config = { ...fetchConfig.parse({}), ...changes }
  return Object.assign(httpFetcher({ resolver, clock, config, allowPrivate, ...(held && { held }) }), {
    resolver,
  })
}

export function exchangeOf(outcome: FetchOutcome): Exchange {
  if (outcome.kind === 'failed') throw new Error(`failed: ${outcome.code}, ${outcome.detail}`)
  return outcome.exchange
}

export function failureCodeOf(outcome: FetchOutcome): string {
  return outcome.kind === 'failed' ? outcome.code : `${outcome.kind} ${outcome.exchange.status}`
}
