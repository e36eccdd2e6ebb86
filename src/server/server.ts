import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { UsageError } from '../config/usage-error.ts'
import type { Operations } from '../orchestrator/operations.ts'
import { type AlertDesk, noAlerts } from './api/alert-desk.ts'
import type { Desk } from './api/handler.ts'
import { type Audit, localAudit } from './audit.ts'
import { fileTokens, type TokenCheck } from './auth.ts'
import { usualListen } from './config.ts'
import { Events } from './events.ts'
import { type Guards, isLoopback } from './guards.ts'
import { maxHeadBytes, RateLimit } from './limits.ts'
import { Reception } from './reception.ts'
import { Watch } from './watch.ts'

export interface ServerOptions {
  readonly operations: Operations
  readonly config: Config
  readonly log: (line: string) => void
  readonly clock?: Clock
  readonly alerts?: AlertDesk
  readonly audit?: Audit
  readonly scaling?: Desk['scaling']
  /** Metrics as Prometheus reads them. */
  readonly metricsText?: () => Promise<string>
  /** Checks of tokens beside those of the file. */
  readonly tokenChecks?: readonly TokenCheck[]
}

export interface ApiServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:7070`. */
  readonly url: string
  readonly watch: Watch
  readonly events: Events
}

/** Serves dashboard and API. On an address that others can reach it does not start without a token. */
export async function openServer(options: ServerOptions): Promise<ApiServer> {
  const { operations, config, log, clock = systemClock(), alerts = noAlerts } = options
  const tokenChecks = await checksOf(options)
  const { address, port } = checkedAddress(config.server.listen, tokenChecks.length > 0)
  const guards = guardsOf(config, address, tokenChecks.length > 0)
  await using stack = new AsyncDisposableStack()
  const watch = stack.use(new Watch({ operations, clock, alertsFiring: () => alerts.firing, log }))
  const events = new Events(watch)
  const audit = options.audit ?? localAudit(config.server.auditFile)
  const { scaling = async () => undefined } = options
  const desk: Desk = { operations, watch, alerts, audit, scaling, clock, config }
  const rate = new RateLimit(config.server.requestsPerSecond, clock)
  const { metricsText } = options
  const reception = new Reception({ desk, events, guards, tokenChecks, rate, metricsText })
  const server = createServer(
    { maxHeaderSize: maxHeadBytes, requestTimeout: 30_000 },
    (request, response) => void answer(reception, request, response, log),
  )
  await listening(server, address, port, config.server.listen === usualListen)
  stack.defer(() => closed(server, events))
  const opened = stack.move()
  const host = address.includes(':') ? `[${address}]` : address
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    watch,
    events,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function answer(
  reception: Reception,
  request: IncomingMessage,
  response: ServerResponse,
  log: (line: string) => void,
): Promise<void> {
  const id = randomUUID()
  try {
    await reception.receive(request, response, id)
  } catch (error) {
    const unexpected = await reception.explain(error, response, id)
    if (unexpected) log(`Request ${id} (${request.method} ${request.url}): ${unexpected}`)
  }
}

/** `127.0.0.1:7070`, `[::1]:7070`, `7070` or `:7070`; the address is loopback unless it is given. */
export function listenAddress(listen: string): { address: string; port: number } {
  const [, bracketed, plain, port] = /^(?:(?:\[([0-9a-f:.]+)\]|([^\s:[\]/]+))?:)?(\d{1,5})$/i.exec(listen) ?? []
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`"${listen}" is no address to listen on: write it as 127.0.0.1:7070.`)
  return { address: bracketed ?? plain ?? '127.0.0.1', port: Number(port) }
}

/** The same, if it may be listened on. */
export function checkedAddress(listen: string, hasTokens: boolean): { address: string; port: number } {
  const { address, port } = listenAddress(listen)
  if (!hasTokens && !isLoopback(address))
    throw new UsageError(
      `${listen} can be reached by others: name a token file (--token-file FILE) or an issuer (server.oidc), or listen on 127.0.0.1.`,
    )
  return { address, port }
}

async function checksOf({ config, tokenChecks = [] }: ServerOptions): Promise<readonly TokenCheck[]> {
  const { tokenFile, oidc } = config.server
  const checks = [...tokenChecks]
  if (tokenFile !== null) checks.push(fileTokens(tokenFile))
  if (oidc !== null) checks.push((await import('./oidc.ts')).issuerTokens(oidc))
  return checks
}

function guardsOf({ server }: Config, address: string, hasTokens: boolean): Guards {
  const { allowedOrigins, allowedHosts } = server
  const names = ['localhost', '127.0.0.1', '::1', address, ...allowedHosts]
  return { allowedOrigins, hosts: hasTokens ? undefined : names }
}

/** `orAny`: nobody has asked for this port, so another will do. */
function listening(server: Server, address: string, port: number, orAny: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE' && orAny) {
        resolve(listening(server, address, 0, false))
        return
      }
      const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message
      reject(new UsageError(`${address}:${port} cannot be listened on: ${why}. Choose another by --listen.`, { cause }))
    })
    server.listen(port, address, resolve)
  })
}

function closed(server: Server, events: Events): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    events.close()
    server.closeIdleConnections()
    // What hangs for longer than an answer takes is not waited for.
    setTimeout(() => server.closeAllConnections(), 2000).unref()
  })
}
