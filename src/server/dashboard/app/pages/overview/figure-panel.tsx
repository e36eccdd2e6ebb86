import { Chart } from '../../chart/chart.tsx'
import { boundInWords, type Figure, isKept, perSecond } from '../../data/panels.ts'
import { Panel } from './panel.tsx'
import { pointsOf, type View } from './view.ts'

/** A panel of one figure. */
export function FigurePanel({ figure, now, history, kind, spanMs, cursor }: View & { figure: Figure }) {
  const { title, unit, show, read, least } = figure
  const bound = figure.bound?.ofFleet && kind !== 'fleet' ? undefined : figure.bound
  const value = read(now)
  const verdict = bound && value !== null ? (isKept(bound, value) ? 'good' : 'bad') : undefined
  const text = value === null ? '–' : show(value)
  const beside =
    figure.id === 'throughput' ? `${show(now.requestsPerSecond)} requests/s, ${perSecond(now.bytesPerSecond)}` : ''
  const target = [bound && boundInWords(bound, show, unit), beside].filter(Boolean).join(' · ')
  return (
    <Panel title={title} value={text} unit={unit} verdict={verdict} target={target || 'No target'}>
      <Chart
        label={`${title} over time, now ${text} ${unit}`}
        series={[{ name: title, points: pointsOf(history, read) }]}
        {...{ spanMs, show, least, bound, cursor }}
        to={now.at}
      />
    </Panel>
  )
}
