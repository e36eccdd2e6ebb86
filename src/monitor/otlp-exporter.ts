import { gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import type { Clock } from '../clock.ts'
import type { Family } from './instruments.ts'
import { metricsRequest, type Resource, tracesRequest } from './otlp.ts'
import type { Tracer } from './traces.ts'

export interface OtlpExporterOptions {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly everyMs: number
  readonly resource: Resource
  readonly families: () => Promise<readonly Family[]>
  readonly tracer: Pick<Tracer, 'take'> | undefined
  readonly clock: Clock
  readonly log: (line: string) => void
}

const timeoutMs = 10_000
const spansAtOnce = 2000

/** Sends metrics and traces to a collector. One that is away costs the traces of that time, and never the crawl. */
export function openOtlpExporter(options: OtlpExporterOptions): AsyncDisposable {
  const { everyMs, resource, families, tracer, clock, log } = options
  const agent = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const base = new URL(options.endpoint)
  const startedAt = clock.now()
  const closed = new AbortController()
  let fault = ''

  async function post(what: 'metrics' | 'traces', message: object): Promise<void> {
    const { statusCode, body } = await agent.request({
      ...{ origin: base.origin, path: `${base.pathname.replace(/\/+$/, '')}/v1/${what}`, method: 'POST' },
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...options.headers },
      body: gzipSync(JSON.stringify(message)),
    })
    await body.dump()
    if (statusCode < 200 || statusCode > 299) throw new Error(`it answers ${statusCode} to ${what}`)
  }

  async function send(): Promise<void> {
    await post('metrics', metricsRequest(await families(), resource, { startedAt, now: clock.now() }))
    const spans = tracer?.take() ?? []
    for (let from = 0; from < spans.length; from += spansAtOnce)
      await post('traces', tracesRequest(spans.slice(from, from + spansAtOnce), resource))
  }

  /** Told when it begins and when it ends, not each time. */
  async function trySending(): Promise<void> {
    try {
      await send()
      if (fault !== '') log(`OpenTelemetry: ${base.host} takes metrics and traces again.`)
      fault = ''
    } catch (error) {
      if (fault === '') log(`OpenTelemetry: ${base.host} cannot be told: ${(error as Error).message}.`)
      fault = (error as Error).message
    }
  }

  async function keepSending(): Promise<void> {
    while (!closed.signal.aborted) {
      await clock.sleep(everyMs, closed.signal)
      await trySending()
    }
  }

  const sending = keepSending()
  return {
    async [Symbol.asyncDispose]() {
      closed.abort()
      await sending
      await agent.destroy()
    },
  }
}
