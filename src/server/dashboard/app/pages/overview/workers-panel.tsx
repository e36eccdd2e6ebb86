import { useState } from 'preact/hooks'
import type { Vitals } from '../../../../api/schemas/overview.ts'
import { Chart } from '../../chart/chart.tsx'
import { bytes, count, short } from '../../data/format.ts'
import { perSecond } from '../../data/panels.ts'
import { Panel } from './panel.tsx'
import { pointsOf, type View } from './view.ts'

interface Load {
  readonly name: string
  readonly read: (vitals: Vitals) => number | null
  readonly show: (value: number) => string
  /** The same beside the chart, where there is less room. */
  readonly axis: (value: number) => string
  readonly least: number
}

const cores = (share: number) => (share === 1 ? '1 core' : `${short(share)} cores`)

/** What workers take of their machines, all of them together. */
const loads = [
  { name: 'CPU', read: ({ cpuShare }) => cpuShare, show: cores, axis: short, least: 1 },
  { name: 'Memory', read: ({ memoryBytes }) => memoryBytes, show: bytes, axis: bytes, least: 1e8 },
  { name: 'Network', read: ({ bytesPerSecond }) => bytesPerSecond, show: perSecond, axis: bytes, least: 1e4 },
] as const satisfies readonly Load[]

function targetOf(workers: number, lost: number): string {
  if (lost > 0) return `Target: none lost; ${lost} silent`
  return workers === 0 ? 'Target: at least one' : 'Target: none lost'
}

/** How many work, and what they take of their machines. */
export function WorkersPanel({ now, history, spanMs, cursor }: View) {
  const [charted, chart] = useState<Load>(loads[0])
  const lost = now.workerList.filter(({ alive }) => !alive).length
  const told = ({ read, show }: Load) => {
    const value = read(now)
    return value === null ? '–' : show(value)
  }
  return (
    <Panel
      title="Workers"
      value={count(now.workers)}
      unit={now.workers === 1 ? 'worker' : 'workers'}
      verdict={lost > 0 || now.workers === 0 ? 'bad' : 'good'}
      target={targetOf(now.workers, lost)}
    >
      <ul class="legend">
        {loads.map((load) => (
          <li key={load.name}>
            <button type="button" aria-pressed={load === charted} onClick={() => chart(load)}>
              {load.name} {told(load)}
            </button>
          </li>
        ))}
        <li>
          <a href="/workers">Each worker</a>
        </li>
      </ul>
      <Chart
        label={`${charted.name} of all workers over time, now ${told(charted)}`}
        series={[{ name: charted.name, points: pointsOf(history, charted.read) }]}
        {...{ spanMs, cursor }}
        to={now.at}
        show={charted.axis}
        least={charted.least}
      />
    </Panel>
  )
}
