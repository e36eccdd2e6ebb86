import { catalog, type Metric } from './catalog.ts'
import type { Family, Sample, Spread } from './instruments.ts'

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** Families of metrics as Prometheus reads them. */
export function prometheusText(families: readonly Family[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, samples, spreads }: Family): string {
  const metric: Metric = catalog[name]
  const lines = [`# HELP ${name} ${escapedHelp(metric.help)}`, `# TYPE ${name} ${metric.type}`]
  for (const sample of samples) lines.push(sampleLine(name, metric, sample))
  for (const spread of spreads) lines.push(...spreadLines(name, metric, spread))
  return `${lines.join('\n')}\n`
}

function sampleLine(name: string, metric: Metric, { labels, value }: Sample): string {
  return `${name}${labelsText(metric.labels, labels)} ${numberText(value)}`
}

function spreadLines(name: string, metric: Metric, { labels, counts, sum }: Spread): string[] {
  let count = 0
  const bounds = [...metric.buckets!.map(String), '+Inf']
  const lines = bounds.map((bound, i) => {
    count += counts[i]!
    return `${name}_bucket${labelsText([...metric.labels, 'le'], [...labels, bound])} ${count}`
  })
  const text = labelsText(metric.labels, labels)
  return [...lines, `${name}_sum${text} ${numberText(sum)}`, `${name}_count${text} ${count}`]
}

function labelsText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  return `{${names.map((name, i) => `${name}="${escapedValue(values[i] ?? '')}"`).join(',')}}`
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

const escapedHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedValue = (text: string) => escapedHelp(text.toWellFormed()).replaceAll('"', '\\"')
