import { Chart } from '../../chart/chart.tsx'
import { boundInWords, boundNow, type Figure, isKept, perSecond } from '../../data/panels.ts'
import { Panel } from './panel.tsx'
import { pointsOf, type View } from './view.ts'

const noTarget = ({ bound }: Figure) =>
  bound?.ofWorkers === undefined ? 'No target' : `No target for fewer than ${bound.ofWorkers} workers`

/** A panel of one figure. */
export function FigurePanel({ figure, now, history, thresholds, spanMs, cursor }: View & { figure: Figure }) {
  const { title, unit, show, read, least, most, bottom } = figure
  const bound = figure.bound && boundNow(figure.bound, thresholds, now)
  const value = read(now)
  const verdict = bound && value !== null ? (isKept(bound, value) ? 'good' : 'bad') : undefined
  const text = value === null ? '–' : show(value)
  return (
    <Panel
      title={title}
      value={text}
      unit={unit}
      verdict={verdict}
      target={bound ? boundInWords(bound, show, unit) : noTarget(figure)}
    >
      {figure.id === 'throughput' && (
        <ul class="legend">
          <li>{show(now.requestsPerSecond)} requests/s</li>
          <li>{perSecond(now.bytesPerSecond)}</li>
        </ul>
      )}
      <Chart
        label={`${title} over time, now ${text} ${unit}`}
        series={[{ name: title, points: pointsOf(history, read) }]}
        {...{ spanMs, show, least, most, bottom, bound, cursor }}
        to={now.at}
      />
    </Panel>
  )
}
