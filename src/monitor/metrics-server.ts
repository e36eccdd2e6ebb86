import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../config/usage-error.ts'
import type { Family } from './instruments.ts'
import { prometheusText, prometheusType } from './prometheus.ts'

export interface MetricsServer extends AsyncDisposable {
  readonly port: number
}

/** `/metrics` of a process that serves nothing else, and `/healthz` for whoever looks after it. */
export async function openMetricsServer(listen: string, families: () => readonly Family[]): Promise<MetricsServer> {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(listen) ?? []
  if (port === undefined) throw new UsageError(`monitor.listen "${listen}" is no address: write it as 0.0.0.0:9464.`)
  const server = createServer({ requestTimeout: 10_000 }, ({ method, url }, response) => {
    const isKnown = url === '/metrics' || url === '/healthz'
    if (method !== 'GET' || !isKnown) return void response.writeHead(isKnown ? 405 : 404).end()
    const body = url === '/metrics' ? prometheusText(families()) : 'ok\n'
    response.writeHead(200, { 'content-type': prometheusType, 'x-content-type-options': 'nosniff' }).end(body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new UsageError(`monitor.listen ${listen} cannot be used: ${cause.message}.`, { cause })),
    )
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''), resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
