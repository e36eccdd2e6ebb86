/** Metrics and traces as OTLP/HTTP carries them, in JSON: opentelemetry-proto, version 1. Pure. */
import { catalog, type Metric } from './catalog.ts'
import type { Family, Spread } from './instruments.ts'
import type { Span } from './traces.ts'

export type Resource = Readonly<Record<string, string>>

interface Times {
  /** Since when counters count. */
  readonly startedAt: number
  readonly now: number
}

const scope = { name: 'orbweaver' }
const CUMULATIVE = 2
const SPAN_KIND_INTERNAL = 1
const STATUS_ERROR = 2

export function metricsRequest(families: readonly Family[], resource: Resource, times: Times) {
  const metrics = families.map((family) => metricOf(family, times))
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics: [{ scope, metrics }] }] }
}

export function tracesRequest(spans: readonly Span[], resource: Resource) {
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] }
}

function metricOf({ name, samples, spreads }: Family, times: Times) {
  const metric: Metric = catalog[name]
  const stamps = { startTimeUnixNano: nanos(times.startedAt), timeUnixNano: nanos(times.now) }
  const about = { name, description: metric.help, unit: unitOf(name) }
  const points = samples.map(({ labels, value }) => ({
    ...stamps,
    attributes: labelled(metric, labels),
    asDouble: value,
  }))
  switch (metric.type) {
    case 'gauge':
      return { ...about, gauge: { dataPoints: points } }
    case 'counter':
      return { ...about, sum: { dataPoints: points, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    case 'histogram': {
      const dataPoints = spreads.map((spread) => ({ ...stamps, ...histogramPoint(metric, spread) }))
      return { ...about, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }
    }
    default:
      return metric.type satisfies never
  }
}

function histogramPoint(metric: Metric, { labels, counts, sum }: Spread) {
  return {
    attributes: labelled(metric, labels),
    count: String(counts.reduce((all, one) => all + one, 0)),
    sum,
    bucketCounts: counts.map(String),
    explicitBounds: metric.buckets!,
  }
}

function spanOf({ traceId, spanId, parentId, name, startedAt, endedAt, failed, attributes }: Span) {
  return {
    ...{ traceId, spanId, parentSpanId: parentId, name, kind: SPAN_KIND_INTERNAL },
    ...{ startTimeUnixNano: nanos(startedAt), endTimeUnixNano: nanos(endedAt) },
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
    status: failed ? { code: STATUS_ERROR } : {},
  }
}

const resourceOf = (resource: Resource) => ({
  attributes: Object.entries(resource).map(([key, value]) => attribute(key, value)),
})

const labelled = ({ labels: names }: Metric, values: readonly string[]) =>
  names.map((name, i) => attribute(name, values[i] ?? ''))

/** 64-bit numbers are text in JSON. */
function attribute(key: string, value: string | number) {
  if (typeof value === 'string') return { key, value: { stringValue: value } }
  return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }
}

function unitOf(name: string): string {
  return /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '1'
}

/** As text: a double has not enough digits. */
function nanos(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)))
}
