import { Chart } from '../../chart/chart.tsx'
import { errorKinds } from '../../data/error-kinds.ts'
import { count, short } from '../../data/format.ts'
import { Panel } from './panel.tsx'
import { pointedAt, pointsOf, type View } from './view.ts'

/** Failed attempts and error answers, by kind. */
export function ErrorsPanel({ now, history, spanMs, cursor }: View) {
  const shown = history.filter(({ at }) => at >= now.at - spanMs)
  const kinds = errorKinds(shown, now)
  const pointed = pointedAt({ now, history, cursor })
  const inWords = kinds.map(({ name, now: times }) => `${name} ${count(times)}`).join(', ')
  return (
    <Panel title="Errors" value={short(now.errorsPerSecond)} unit="errors/s" target="By kind, in a minute">
      <ul class="legend">
        {kinds.length === 0 && <li class="soft">none</li>}
        {kinds.map(({ name, read }, i) => (
          <li key={name}>
            <span class={`swatch fill-${i + 1}`} aria-hidden="true" />
            {name} {count(read(pointed))}
          </li>
        ))}
      </ul>
      <Chart
        label={`Errors of a minute over time, now ${inWords === '' ? 'none' : inWords}`}
        series={kinds.map(({ name, read }) => ({ name, points: pointsOf(shown, read) }))}
        isStacked
        {...{ spanMs, cursor }}
        to={now.at}
        show={short}
        least={10}
      />
    </Panel>
  )
}
