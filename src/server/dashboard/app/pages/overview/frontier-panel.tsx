import { Chart, type Series } from '../../chart/chart.tsx'
import { short } from '../../data/format.ts'
import { boundInWords, boundNow, frontierBound, isKept } from '../../data/panels.ts'
import { Panel } from './panel.tsx'
import { pointedAt, pointsOf, type View } from './view.ts'

/** URLs that are not yet visited, by band where that is known, else by where they are. */
export function FrontierPanel({ now, history, thresholds, spanMs, cursor }: View) {
  const hasBands = now.high !== null && now.medium !== null && now.low !== null
  const layers = hasBands ? (['high', 'medium', 'low'] as const) : (['queued', 'leased', 'carried'] as const)
  const series: Series[] = layers.map((name) => ({ name, points: pointsOf(history, (vitals) => vitals[name] ?? 0) }))
  const pointed = pointedAt({ now, history, cursor })
  const size = now.queued + now.leased + (now.carried ?? 0)
  const bound = boundNow(frontierBound, thresholds, now)!
  return (
    <Panel
      title="Frontier"
      value={short(size)}
      unit="URLs"
      verdict={isKept(bound, size) ? 'good' : 'bad'}
      target={boundInWords(bound, short, 'URLs')}
    >
      <ul class="legend">
        {layers.map((name, i) => (
          <li key={name}>
            <span class={`swatch fill-${i + 1}`} aria-hidden="true" />
            {name} {short(pointed[name] ?? 0)}
          </li>
        ))}
        {hasBands && (pointed.carried ?? 0) > 0 && <li>{short(pointed.carried ?? 0)} in Kafka</li>}
      </ul>
      <Chart
        label={`Frontier over time, now ${short(size)} URLs`}
        {...{ series, spanMs, cursor }}
        isStacked
        to={now.at}
        show={short}
        least={10}
        bound={bound}
      />
    </Panel>
  )
}
