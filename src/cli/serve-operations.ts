import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { openMetrics } from '../monitor/metrics.ts'
import { prometheusText } from '../monitor/prometheus.ts'
import type { FolderOperationsOptions } from '../orchestrator/adapters/embedded/folder-operations.ts'
import type { Operations } from '../orchestrator/operations.ts'
import { openServer, type ServerOptions } from '../server/server.ts'
import { bold } from './terminal.ts'

/** Opens dashboard and API over operations, and says where. */
export async function serveOperations(
  options: Pick<ServerOptions, 'operations' | 'config' | 'log' | 'metricsText' | 'audit'>,
): Promise<AsyncDisposable> {
  const server = await openServer(options)
  options.log(`Dashboard and API: ${bold(server.url)}`)
  return server
}

/** The same over crawls in this process, whose work is measured while it is open. */
export async function serveCrawl(
  open: (measured: FolderOperationsOptions) => Operations,
  config: Config,
  log: (line: string) => void,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const metrics = stack.use(openMetrics(systemClock()))
  const operations = stack.use(open({ storageLagMs: () => metrics.storageLagMs }))
  stack.use(
    await serveOperations({ operations, config, log, metricsText: async () => prometheusText(metrics.families()) }),
  )
  return stack.move()
}
