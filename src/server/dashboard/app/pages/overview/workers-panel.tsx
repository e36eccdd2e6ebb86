import { Chart } from '../../chart/chart.tsx'
import { bytes, count, short } from '../../data/format.ts'
import { perSecond } from '../../data/panels.ts'
import { Panel } from './panel.tsx'
import { pointsOf, type View } from './view.ts'

const cores = (share: number) => `${short(share)} cores`

/** How many work, and what they take of their machines. */
export function WorkersPanel({ now, history, spanMs, cursor }: View) {
  const lost = now.workerList.filter(({ alive }) => !alive).length
  return (
    <Panel
      title="Workers"
      value={count(now.workers)}
      unit={now.workers === 1 ? 'worker' : 'workers'}
      verdict={lost > 0 || now.workers === 0 ? 'bad' : 'good'}
      target={lost > 0 ? `Target: none lost; ${lost} silent` : 'Target: none lost'}
    >
      <ul class="legend">
        <li>CPU {now.cpuShare === null ? '–' : cores(now.cpuShare)}</li>
        <li>Memory {now.memoryBytes === null ? '–' : bytes(now.memoryBytes)}</li>
        <li>Network {perSecond(now.bytesPerSecond)}</li>
        <li>
          <a href="/workers">Each worker</a>
        </li>
      </ul>
      <Chart
        label={`Cores in use over time, now ${now.cpuShare === null ? 'not known' : cores(now.cpuShare)}`}
        series={[{ name: 'CPU', points: pointsOf(history, (vitals) => vitals.cpuShare) }]}
        {...{ spanMs, cursor }}
        to={now.at}
        show={short}
        least={1}
      />
    </Panel>
  )
}
