import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { systemClock } from '../clock.ts'
import type { Settled } from '../frontier/frontier.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { fetches, settlements, staged } from './events.ts'
import { Instruments } from './instruments.ts'
import { openOtlpExporter } from './otlp-exporter.ts'
import { openTracer } from './traces.ts'

const nanos = z.string().regex(/^\d{19}$/)
const count = z.string().regex(/^\d+$/)
const attribute = z.strictObject({
  key: z.string().min(1),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: count }),
    z.strictObject({ doubleValue: z.number() }),
  ]),
})
const stamps = { attributes: z.array(attribute), startTimeUnixNano: nanos, timeUnixNano: nanos }
const numbers = z.array(z.strictObject({ ...stamps, asDouble: z.number() }))
const about = { name: z.string(), description: z.string(), unit: z.string() }
const resource = z.strictObject({ attributes: z.array(attribute) })
const scope = z.strictObject({ name: z.string() })

/** As much of opentelemetry-proto's JSON as we send; what it does not know is refused. */
const metricsShape = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          metrics: z.array(
            z.union([
              z.strictObject({ ...about, gauge: z.strictObject({ dataPoints: numbers }) }),
              z.strictObject({
                ...about,
                sum: z.strictObject({
                  dataPoints: numbers,
                  aggregationTemporality: z.literal(2),
                  isMonotonic: z.literal(true),
                }),
              }),
              z.strictObject({
                ...about,
                histogram: z.strictObject({
                  aggregationTemporality: z.literal(2),
                  dataPoints: z.array(
                    z
                      .strictObject({
                        ...stamps,
                        count,
                        sum: z.number(),
                        bucketCounts: z.array(count),
                        explicitBounds: z.array(z.number()),
                      })
                      .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1),
                  ),
                }),
              }),
            ]),
          ),
        }),
      ),
    }),
  ),
})

const spanShape = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().regex(/^([0-9a-f]{16})?$/),
  ...{ name: z.string(), kind: z.literal(1), startTimeUnixNano: nanos, endTimeUnixNano: nanos },
  attributes: z.array(attribute),
  status: z.union([z.strictObject({}), z.strictObject({ code: z.literal(2) })]),
})
const tracesShape = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(spanShape) })) }),
  ),
})

async function startCollector(status = 200) {
  const got: { path: string; headers: IncomingHttpHeaders; message: unknown }[] = []
  const server = createServer(async (request, response) => {
    const message = JSON.parse(gunzipSync(await buffer(request)).toString())
    got.push({ path: request.url!, headers: request.headers, message })
    response.writeHead(status).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    got,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function visit(url: CanonicalUrl): Promise<void> {
  await staged('visit', url, async () => {
    await staged('read', url, async () => {})
    fetches.tell({ url, status: 200, code: '', durationMs: 0 })
    await staged('archive', url, async () => {})
    settlements.tell({ host: 'a.example', visit: { url, kind: 'done' } as Settled, answer: 'settled' })
  })
}

function exporterTo(endpoint: string, tracer?: ReturnType<typeof openTracer>, said: string[] = []) {
  const instruments = new Instruments()
  instruments.add('orbweaver_visits_total', 3, 'page')
  instruments.set('orbweaver_storage_lag_seconds', 0.5)
  instruments.observe('orbweaver_stage_seconds', 0.02, 'archive')
  return openOtlpExporter({
    ...{ endpoint, headers: { 'x-key': 'k' }, everyMs: 60_000, resource: { 'service.name': 'orbweaver' }, tracer },
    ...{ families: async () => instruments.families(), clock: systemClock(), log: (line: string) => said.push(line) },
  })
}

test('metrics and traces have the shape that collectors read, and what is left is sent at the end', async () => {
  await using collector = await startCollector()
  using tracer = openTracer({ share: 1, salt: 0.5 })
  const exporter = exporterTo(collector.endpoint, tracer)
  await visit('https://a.example/?token=hush' as CanonicalUrl)
  await exporter[Symbol.asyncDispose]()
  assert.deepEqual(
    collector.got.map(({ path, headers }) => [path, headers['x-key']]),
    [
      ['/otlp/v1/metrics', 'k'],
      ['/otlp/v1/traces', 'k'],
    ],
  )
  const metrics = metricsShape.parse(collector.got[0]!.message)
  assert.equal(metrics.resourceMetrics[0]!.scopeMetrics[0]!.metrics.length, 3)
  const { spans } = tracesShape.parse(collector.got[1]!.message).resourceSpans[0]!.scopeSpans[0]!
  const root = spans.find(({ name }) => name === 'visit')!
  const read = spans.find(({ name }) => name === 'read')!
  assert.deepEqual(
    spans.map(({ name, parentSpanId }) => [name, parentSpanId]),
    [
      ['visit', ''],
      ['read', root.spanId],
      ['fetch', read.spanId],
      ['parse', read.spanId],
      ['archive', root.spanId],
    ],
  )
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1)
  assert.doesNotMatch(JSON.stringify(spans), /hush/)
})

test('about as many visits are traced as were asked for', async () => {
  using tracer = openTracer({ share: 0.1, salt: 0.123 })
  for (let i = 0; i < 2000; i++) await visit(`https://a.example/${i}` as CanonicalUrl)
  const visits = tracer.take().filter(({ name }) => name === 'visit').length
  assert.ok(visits > 120 && visits < 280, String(visits))
  assert.deepEqual(tracer.take(), [])
})

test('a collector that refuses or is away is told of once, and nothing else happens', async () => {
  await using collector = await startCollector(503)
  const said: string[] = []
  await exporterTo(collector.endpoint, undefined, said)[Symbol.asyncDispose]()
  assert.match(said.join(), /cannot be told: it answers 503 to metrics/)
  await exporterTo('http://127.0.0.1:1', undefined, said)[Symbol.asyncDispose]()
  assert.equal(said.length, 2)
})
