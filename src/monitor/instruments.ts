import { catalog, type Metric, type MetricName } from './catalog.ts'

/** A value under its labels, in the order of the metric's label names. */
export interface Sample {
  readonly labels: readonly string[]
  readonly value: number
}

/** How values are spread: counts for each bucket and beyond the last, not cumulated. */
export interface Spread {
  readonly labels: readonly string[]
  readonly counts: readonly number[]
  readonly sum: number
}

/** One metric with all its values. */
export interface Family {
  readonly name: MetricName
  readonly samples: readonly Sample[]
  readonly spreads: readonly Spread[]
}

interface GrowingSpread extends Spread {
  readonly counts: number[]
  sum: number
}

/** Codes come from outside: a hostile server must not make series without end. */
const maxSeries = 500
const others = 'other'

/** Counters, gauges and histograms of one process, by the names of the catalog. */
export class Instruments {
  readonly #values = new Map<MetricName, Map<string, { labels: readonly string[]; value: number }>>()
  readonly #spreads = new Map<MetricName, Map<string, GrowingSpread>>()

  add(name: MetricName, by = 1, ...labels: readonly string[]): void {
    this.#valueOf(name, labels).value += by
  }

  set(name: MetricName, value: number, ...labels: readonly string[]): void {
    this.#valueOf(name, labels).value = value
  }

  observe(name: MetricName, value: number, ...labels: readonly string[]): void {
    const { buckets = [] }: Metric = catalog[name]
    const spread = seriesIn(this.#spreads, name, labels, (labels) => ({
      ...{ labels, sum: 0 },
      counts: new Array<number>(buckets.length + 1).fill(0),
    }))
    const bucket = buckets.findIndex((bound) => value <= bound)
    spread.counts[bucket < 0 ? buckets.length : bucket]!++
    spread.sum += value
  }

  /** Those that have a value. */
  families(): Family[] {
    const names = (Object.keys(catalog) as MetricName[]).filter(
      (name) => this.#values.has(name) || this.#spreads.has(name),
    )
    return names.map((name) => ({
      name,
      samples: [...(this.#values.get(name)?.values() ?? [])],
      spreads: [...(this.#spreads.get(name)?.values() ?? [])],
    }))
  }

  valueOf(name: MetricName, ...labels: readonly string[]): number {
    return this.#values.get(name)?.get(keyOf(labels))?.value ?? 0
  }

  #valueOf(name: MetricName, labels: readonly string[]) {
    return seriesIn(this.#values, name, labels, (labels) => ({ labels, value: 0 }))
  }
}

function seriesIn<S>(
  metrics: Map<MetricName, Map<string, S>>,
  name: MetricName,
  labels: readonly string[],
  make: (labels: readonly string[]) => S,
): S {
  let series = metrics.get(name)
  if (!series) metrics.set(name, (series = new Map()))
  const key = keyOf(labels)
  const known = series.get(key)
  if (known) return known
  if (series.size >= maxSeries && !labels.every((label) => label === others))
    return seriesIn(
      metrics,
      name,
      labels.map(() => others),
      make,
    )
  const made = make(labels)
  series.set(key, made)
  return made
}

const keyOf = (labels: readonly string[]) => (labels.length === 1 ? labels[0]! : labels.join('\u0000'))
