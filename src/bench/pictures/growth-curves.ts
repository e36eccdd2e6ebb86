import type { GrowthResult, GrowthStep } from '../growth.ts'
import { linear, logarithmic, roundSteps } from './scale.ts'
import { element, label, line, type Svg, svgFile } from './svg.ts'

const panel = { width: 380, height: 240, left: 56, top: 74 }
const gap = 60

interface Curve {
  readonly name: string
  readonly measureOf: (step: GrowthStep) => number
  readonly rangeOf?: (step: GrowthStep) => readonly [number, number]
  readonly show: (value: number) => string
  /** Where the curve should stay below, and why. */
  readonly bound: { readonly at: number; readonly name: string }
}

/** CPU and memory over the number of URLs that the crawl knows, which rises by powers of ten. */
export function growthCurves({ steps }: GrowthResult): string {
  const first = steps[0]
  if (!first) throw new RangeError('there is no curve without a step')
  const curves: readonly Curve[] = [
    {
      name: 'CPU ms a page',
      measureOf: ({ cpuMsPerPage }) => cpuMsPerPage,
      rangeOf: ({ cpuMsPerPageRange }) => cpuMsPerPageRange,
      show: (value) => value.toFixed(2),
      bound: { at: first.cpuMsPerPage * 1.2, name: '1.2 × the first' },
    },
    {
      name: 'peak memory, MiB',
      measureOf: ({ peakRssBytes }) => peakRssBytes / 2 ** 20,
      show: (value) => value.toFixed(0),
      bound: { at: 600, name: '600 MiB' },
    },
  ]
  const content = curves.flatMap((curve, n) => drawn(curve, steps, panel.left + n * (panel.width + gap)))
  const width = panel.left + 2 * panel.width + gap + 30
  const title = 'Growth: what a page costs as the crawl comes to know more URLs'
  return svgFile({ width, height: panel.top + panel.height + 60, title, content })
}

function drawn(curve: Curve, steps: readonly GrowthStep[], left: number): Svg[] {
  const { measureOf, rangeOf, bound, show } = curve
  const bottom = panel.top + panel.height
  const right = left + panel.width
  const ticks = roundSteps(
    Math.max(bound.at, ...steps.flatMap((step) => [measureOf(step), ...(rangeOf?.(step) ?? [])])) * 1.08,
  )
  const y = linear([0, ticks.at(-1)!], [bottom, panel.top])
  const known = steps.map(({ knownUrls }) => knownUrls)
  const inset = 30
  const x =
    steps.length > 1 ? logarithmic([known[0]!, known.at(-1)!], [left + inset, right - inset]) : () => (left + right) / 2
  const points = steps.map((step) => ({ step, x: x(step.knownUrls), y: y(measureOf(step)) }))
  const path = points.map(({ x, y }, n) => `${n === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ')
  return [
    label(left, panel.top - 18, curve.name, 'start', 'strong'),
    ...ticks.flatMap((tick) => [
      line(left, y(tick), right, y(tick), tick === 0 ? 'axis' : 'rule'),
      label(left - 8, y(tick) + 4, String(tick), 'end', 'faint'),
    ]),
    line(left, y(bound.at), right, y(bound.at), 'bound'),
    // In the middle there is no point that it could cover.
    label((left + right) / 2, y(bound.at) - 6, bound.name, 'middle', 'bound-label'),
    element('path', { d: path, class: 'curve' }),
    ...points.flatMap(({ step, x, y: height }) => {
      const [least, most] = rangeOf?.(step) ?? [measureOf(step), measureOf(step)]
      return [
        line(x, y(least), x, y(most), 'range'),
        element('circle', { cx: x, cy: height, r: 4, class: 'dot' }),
        label(x, y(least) + 20, show(measureOf(step)), 'middle', 'value'),
        label(x, bottom + 20, shortCount(step.knownUrls), 'middle', 'faint'),
      ]
    }),
    label((left + right) / 2, bottom + 42, 'known URLs', 'middle', 'faint'),
  ]
}

function shortCount(count: number): string {
  if (count >= 1e6) return `${count / 1e6} million`
  return count >= 1e3 ? `${count / 1e3} thousand` : String(count)
}
