import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import { UsageError } from '../config/usage-error.ts'
import { version } from '../version.ts'
import type { MonitorConfig } from './config.ts'
import type { Family } from './instruments.ts'
import { openLogFile, standardError } from './log-file.ts'
import { openEventLog } from './logs.ts'
import { openMetrics } from './metrics.ts'
import { openMetricsServer } from './metrics-server.ts'
import { openOtlpExporter } from './otlp-exporter.ts'
import { openTracer } from './traces.ts'

export interface MonitoringOptions {
  readonly config: MonitorConfig
  /** Which part of the program this is: `worker`, `serve`, `crawl`. */
  readonly service: string
  readonly instance: string
  readonly clock: Clock
  readonly log: (line: string) => void
}

export interface Monitoring extends AsyncDisposable {
  /** As before, and into the log of events. */
  readonly log: (line: string) => void
}

/** Logs, metrics and traces of this process, as far as the settings ask for them. */
export async function openMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { config, clock, instance, service } = options
  await using stack = new AsyncDisposableStack()
  let { log } = options
  if (config.log !== null) {
    const file = stack.use(config.log === '-' ? standardError : await openLogFile(config.log))
    const about = { service, instance }
    const events = stack.use(openEventLog({ level: config.logLevel, clock, about, write: (line) => file.write(line) }))
    log = (line) => {
      options.log(line)
      events.say(line)
    }
  }
  const { listen, otlp } = config
  if (listen !== null || otlp.endpoint !== null) {
    const metrics = stack.use(openMetrics(clock))
    if (listen !== null) stack.use(await openMetricsServer(listen, () => metrics.families()))
    if (otlp.endpoint !== null) exportTo(stack, otlp.endpoint, { ...options, log }, async () => metrics.families())
  }
  const opened = stack.move()
  return { log, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function exportTo(
  stack: AsyncDisposableStack,
  endpoint: string,
  { config, clock, service, instance, log }: MonitoringOptions,
  families: () => Promise<readonly Family[]>,
): void {
  const { everyMs, traceShare, headersFile } = config.otlp
  const tracer = traceShare > 0 ? stack.use(openTracer({ share: traceShare, salt: Math.random() })) : undefined
  const resource = {
    ...{ 'service.name': 'orbweaver', 'service.version': version, 'service.instance.id': instance },
    ...{ 'host.name': hostname(), 'orbweaver.part': service },
  }
  stack.use(
    openOtlpExporter({ endpoint, everyMs, resource, families, tracer, clock, log, headers: headersIn(headersFile) }),
  )
}

function headersIn(file: string | null): Record<string, string> {
  if (file === null) return {}
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`${file} holds a line that is no header: write \`Name: value\`.`)
      return [name.toLowerCase(), value]
    }),
  )
}
