import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { systemResolver } from '../dns/adapters/system/system-resolver.ts'
import { alertActions } from '../monitor/alert-actions.ts'
import { AlertBoard, configuredRules, type Silences, silencesInMemory } from '../monitor/alert-board.ts'
import { alertRules } from '../monitor/alert-rules.ts'
import { keepJudging } from '../monitor/alerting.ts'
import { diskFreeShare } from '../monitor/measures.ts'
import { type Metrics, openMetrics } from '../monitor/metrics.ts'
import { checkNetwork } from '../monitor/network-checks.ts'
import { openNotifiers } from '../monitor/notify/open-notifiers.ts'
import { operationsFamilies } from '../monitor/operations-metrics.ts'
import { prometheusText } from '../monitor/prometheus.ts'
import type { FolderOperationsOptions } from '../orchestrator/adapters/embedded/folder-operations.ts'
import type { Operations } from '../orchestrator/operations.ts'
import { inTime } from '../server/limits.ts'
import { HttpProblem } from '../server/problem.ts'
import { openServer, type ServerOptions } from '../server/server.ts'
import { bold } from './terminal.ts'

export interface ServeOptions extends Pick<ServerOptions, 'operations' | 'config' | 'log' | 'audit' | 'scaling'> {
  readonly metrics: Metrics
  readonly silences: Silences
  /** `undefined`: there are no others, and nobody to lead. */
  readonly leads?: () => boolean
  readonly urgeWorkers?: () => void
  /** Whose disk fills up. */
  readonly folder?: string
}

/** Opens dashboard and API over operations, and says where; judges alerts and tells of them. */
export async function serveOperations(options: ServeOptions): Promise<AsyncDisposable> {
  const { config, log, metrics, leads, scaling = async () => undefined } = options
  const clock = systemClock()
  const board = boardOver(options, clock)
  await using stack = new AsyncDisposableStack()
  async function metricsText(): Promise<string> {
    const [counters, alerts, decided] = await Promise.all([server.watch.counters(), board.list(), soon(scaling())])
    const seen = { counters, alerts, scaling: decided }
    return prometheusText([...metrics.families(), ...operationsFamilies({ ...seen, leads: leads?.() })])
  }
  const server = stack.use(await openServer({ ...options, alerts: board, metricsText }))
  stack.use(
    keepJudging({
      ...{ board, watch: server.watch, config: config.monitor.alerts, clock, log },
      async also() {
        const { waitingHosts, oldestWaitMs } = (await scaling()) ?? {}
        return { waitingHosts, oldestWaitMs, diskFreeShare: await diskFreeShare(options.folder ?? '.') }
      },
    }),
  )
  log(`Dashboard and API: ${bold(server.url)}`)
  return stack.move()
}

/** Who collects metrics does not wait for an engine that is away, least of all then. */
async function soon<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await inTime(answer, scrapeMs, '')
  } catch (error) {
    if (error instanceof HttpProblem) return undefined
    throw error
  }
}

const scrapeMs = 2000

/** The same over crawls in this process, whose work is measured while it is open. */
export async function serveCrawl(
  open: (measured: FolderOperationsOptions) => Operations,
  config: Config,
  log: (line: string) => void,
  folder?: string,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const metrics = stack.use(openMetrics(systemClock()))
  const operations = stack.use(open({ storageLagMs: () => metrics.storageLagMs }))
  const silences = silencesInMemory()
  stack.use(await serveOperations({ operations, config, log, metrics, silences, ...(folder && { folder }) }))
  return stack.move()
}

function boardOver({ operations, config, log, silences, leads, urgeWorkers }: ServeOptions, clock: Clock): AlertBoard {
  const { alerts } = config.monitor
  return new AlertBoard({
    ...{ config: alerts, silences, clock, log, leads: leads ?? (() => true) },
    rules: configuredRules(alertRules, alerts),
    notifiers: openNotifiers(alerts),
    actions: alertActions({
      ...{ operations, config: alerts, urgeWorkers },
      async checkNetwork(hosts) {
        await using resolver = systemResolver(config.dns)
        return checkNetwork({ resolver, hosts: hosts.map(placeOf) })
      },
    }),
  })
}

function placeOf(host: string) {
  const { hostname, port } = new URL(`https://${host}`)
  return { host: hostname, port: Number(port || 443) }
}
