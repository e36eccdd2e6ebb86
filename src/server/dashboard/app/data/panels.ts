import type { Alert } from '../../../api/schemas/alert.ts'
import type { Vitals } from '../../../api/schemas/overview.ts'
import { bytes, duration, percent, short } from './format.ts'

/** A bound that a figure should keep, and what its panel says about it. */
export interface Bound {
  readonly side: 'at-least' | 'at-most'
  readonly value: number
  /** The rule of the alert, which may have another threshold here. */
  readonly alert: string
  /** Only so many workers or more are measured by it. */
  readonly ofWorkers?: number
}

export interface Figure {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly read: (vitals: Vitals) => number | null
  readonly show: (value: number) => string
  /** The top of the chart is at least this. */
  readonly least: number
  /** No value is above. */
  readonly most?: number
  /** The lower edge of the chart, for figures that are far from nothing when all is well. */
  readonly bottom?: number
  readonly bound?: Bound
}

const share = { unit: '', show: percent, least: 1, most: 1 } as const

/** The figures of the overview that are one line each, with the bounds of the design. */
export const figures = {
  throughput: {
    id: 'throughput',
    title: 'Throughput',
    unit: 'pages/s',
    read: (vitals) => vitals.pagesPerSecond,
    show: short,
    least: 1,
    bound: { side: 'at-least', value: 500, alert: 'throughput-low', ofWorkers: 5 },
  },
  duplicates: {
    ...share,
    id: 'duplicates',
    title: 'Duplicate rate',
    read: (vitals) => vitals.duplicateRate,
    least: 0.4,
    bound: { side: 'at-most', value: 0.2, alert: 'duplicates-many' },
  },
  fetched: {
    ...share,
    id: 'fetched',
    title: 'Fetch success',
    bottom: 0.5,
    read: (vitals) => vitals.fetchSuccess,
    bound: { side: 'at-least', value: 0.8, alert: 'fetch-failing' },
  },
  parsed: {
    ...share,
    id: 'parsed',
    title: 'Parse success',
    bottom: 0.5,
    read: (vitals) => vitals.parseSuccess,
    bound: { side: 'at-least', value: 0.95, alert: 'parse-failing' },
  },
  storage: {
    id: 'storage',
    title: 'Storage lag',
    unit: '',
    read: (vitals) => vitals.storageLagMs,
    show: duration,
    least: 1000,
    bound: { side: 'at-most', value: 10_000, alert: 'storage-slow' },
  },
} as const satisfies Readonly<Record<string, Figure>>

/** Beyond this the crawl takes fewer links from each page. */
export const frontierBound: Bound = { side: 'at-most', value: 50_000_000, alert: 'frontier-large' }

/** Thresholds that the server judges by, by the name of the rule. */
export type Thresholds = ReadonlyMap<string, number>

export const thresholdsOf = (alerts: readonly Alert[]): Thresholds =>
  new Map(alerts.flatMap(({ id, threshold }) => (threshold === null ? [] : [[id, threshold]])))

/** The bound as this server has it, where it applies. */
export function boundNow(bound: Bound, thresholds: Thresholds, { workers }: Vitals): Bound | undefined {
  if (bound.ofWorkers !== undefined && workers < bound.ofWorkers) return undefined
  return { ...bound, value: thresholds.get(bound.alert) ?? bound.value }
}

export const isKept = ({ side, value }: Bound, figure: number): boolean =>
  side === 'at-least' ? figure >= value : figure <= value

export const boundInWords = ({ side, value }: Bound, show: (value: number) => string, unit: string): string =>
  `Target: ${side === 'at-least' ? '≥' : '≤'} ${show(value)}${unit === '' ? '' : ` ${unit}`}`

export const perSecond = (value: number): string => `${bytes(value)}/s`

const shares = ['duplicates-many', 'fetch-failing', 'parse-failing', 'disk-full', 'error-budget']
const times = ['storage-slow', 'backlog-old']

/** A value that a rule judges, in its unit. */
export function showMeasure(rule: string, value: number): string {
  if (shares.includes(rule)) return percent(value)
  return times.includes(rule) ? duration(value) : short(value)
}
