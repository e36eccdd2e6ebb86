import { Chart } from '../../chart/chart.tsx'
import { count, short } from '../../data/format.ts'
import { Panel } from './panel.tsx'
import { pointsOf, type View } from './view.ts'

const shownKinds = 3

/** Failed attempts and error answers: over time, and of which kind they were in the last minute. */
export function ErrorsPanel({ now, history, spanMs, cursor }: View) {
  const kinds = Object.entries(now.errors).sort(([, one], [, other]) => other - one)
  const rest = kinds.slice(shownKinds).reduce((sum, [, errors]) => sum + errors, 0)
  return (
    <Panel title="Errors" value={short(now.errorsPerSecond)} unit="errors/s" target="By kind, in the last minute">
      <ul class="legend">
        {kinds.length === 0 && <li class="soft">none</li>}
        {kinds.slice(0, shownKinds).map(([kind, errors]) => (
          <li key={kind}>
            {kind} <b>{count(errors)}</b>
          </li>
        ))}
        {rest > 0 && <li class="soft">others {count(rest)}</li>}
      </ul>
      <Chart
        label={`Errors over time, now ${short(now.errorsPerSecond)} a second`}
        series={[{ name: 'errors/s', points: pointsOf(history, (vitals) => vitals.errorsPerSecond) }]}
        {...{ spanMs, cursor }}
        to={now.at}
        show={short}
        least={1}
      />
    </Panel>
  )
}
