import type { Worker } from '../../../api/schemas/worker.ts'
import { useAsk } from '../data/ask.ts'
import { bytes, count, duration, percent, short } from '../data/format.ts'
import { perSecond } from '../data/panels.ts'
import { api } from '../data/session.ts'
import { Bar } from '../parts/bar.tsx'
import { Head } from '../parts/head.tsx'
import { Answered, Empty } from '../parts/states.tsx'

/** Who works, and how hard. */
export function Workers() {
  const asked = useAsk('workers', (signal) => api().listWorkers({}, signal), 2000)
  return (
    <>
      <Head title="Workers" />
      <Answered asked={asked}>
        {({ workers }) => (workers.length === 0 ? <Empty>Nobody works.</Empty> : <WorkerTable workers={workers} />)}
      </Answered>
    </>
  )
}

const maybe = (value: number | null, show: (value: number) => string) => (value === null ? '–' : show(value))

function WorkerTable({ workers }: { workers: readonly Worker[] }) {
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">State</th>
            <th scope="col">CPU</th>
            <th scope="col" class="number">
              Memory
            </th>
            <th scope="col" class="number">
              Network
            </th>
            <th scope="col" class="number">
              Pages/s
            </th>
            <th scope="col" class="number">
              Pages
            </th>
            <th scope="col" class="number">
              Hosts
            </th>
            <th scope="col" class="number">
              Storage lag
            </th>
            <th scope="col">Crawls</th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function placeOf({ role, host, region, pid, startedAt }: Worker): string {
  const runsFor = `up ${duration(Math.max(0, Date.now() - startedAt))}`
  const does = role === 'all' ? '' : `only to ${role}`
  const where = region === 'default' ? host : `${host} in ${region}`
  return [where, `pid ${pid}`, does, runsFor].filter((part) => part !== '').join(', ')
}

function WorkerRow({ worker }: { worker: Worker }) {
  return (
    <tr>
      <th scope="row">
        <span class="nowrap">{worker.id}</span>
        <div class="hint">{placeOf(worker)}</div>
      </th>
      <td data-label="State">
        {worker.alive ? (
          <span class="badge good">alive</span>
        ) : (
          <span class="badge bad">silent for {duration(worker.silentMs)}</span>
        )}
      </td>
      <td data-label="CPU" class="wide">
        {worker.cpuShare === null ? (
          '–'
        ) : (
          <div class="meter">
            {percent(worker.cpuShare)}
            <Bar share={worker.cpuShare} />
          </div>
        )}
      </td>
      <td data-label="Memory" class="number">
        {maybe(worker.memoryBytes, bytes)}
      </td>
      <td data-label="Network" class="number">
        {maybe(worker.bytesPerSecond, perSecond)}
      </td>
      <td data-label="Pages/s" class="number">
        {maybe(worker.pagesPerSecond, short)}
      </td>
      <td data-label="Pages" class="number">
        {count(worker.pages)}
      </td>
      <td data-label="Hosts" class="number">
        {count(worker.openHosts)}
      </td>
      <td data-label="Storage lag" class="number">
        {maybe(worker.storageLagMs, duration)}
      </td>
      <td data-label="Crawls" class={worker.crawls.length === 0 ? 'none' : 'wide'}>
        {worker.crawls.map((crawl) => (
          <div key={crawl} class="nowrap">
            {crawl}
          </div>
        ))}
      </td>
    </tr>
  )
}
