import type { Host, HostSort } from '../../../../api/schemas/host.ts'
import { count } from '../../data/format.ts'
import { nextVisit, paceInWords, robotsInWords } from '../../data/host-words.ts'
import { hrefTo, show } from '../../data/route.ts'
import { may } from '../../data/session.ts'

interface HostTableParts {
  readonly crawl: string
  readonly hosts: readonly Host[]
  readonly sort: HostSort
  readonly order: 'asc' | 'desc'
  readonly choose: (host: Host) => void
}

interface Column {
  readonly sort: HostSort
  readonly name: string
  readonly isNumber: boolean
  /** Left out on screens that are not wide. */
  readonly isRoomy?: true
}

const columns: readonly Column[] = [
  { sort: 'name', name: 'Host', isNumber: false },
  { sort: 'urls', name: 'URLs', isNumber: true },
  { sort: 'queued', name: 'Waiting', isNumber: true },
  { sort: 'done', name: 'Done', isNumber: true },
  { sort: 'excluded', name: 'Excluded', isNumber: true, isRoomy: true },
  { sort: 'dead', name: 'Dead', isNumber: true },
  { sort: 'gap', name: 'Pace', isNumber: false },
  { sort: 'next', name: 'Next visit', isNumber: false },
]

export function HostTable({ crawl, hosts, sort, order, choose }: HostTableParts) {
  const now = Date.now()
  return (
    <div class="table-frame">
      <table class="cards hosts">
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHead key={column.sort} {...column} order={column.sort === sort ? order : undefined} />
            ))}
            <th scope="col">robots.txt</th>
            <th scope="col">Notes</th>
            <th scope="col">
              <span class="hidden-but-read">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {hosts.map((host) => (
            <HostRow key={host.host} {...{ crawl, host, now, choose }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface SortHeadParts extends Column {
  readonly order: 'asc' | 'desc' | undefined
}

function SortHead({ sort, name, isNumber, isRoomy, order }: SortHeadParts) {
  const next =
    order === undefined ? (sort === 'name' || sort === 'next' ? 'asc' : 'desc') : order === 'asc' ? 'desc' : 'asc'
  const arrow = order === undefined ? '' : order === 'asc' ? ' ↑' : ' ↓'
  return (
    <th
      scope="col"
      class={`${isNumber ? 'number' : ''} ${isRoomy ? 'roomy' : ''}`}
      aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" class="plain" onClick={() => show({ sort, order: next, offset: undefined })}>
        {name}
        {arrow}
      </button>
    </th>
  )
}

interface HostRowParts {
  readonly crawl: string
  readonly host: Host
  readonly now: number
  readonly choose: (host: Host) => void
}

function HostRow({ crawl, host, now, choose }: HostRowParts) {
  const { counts, gapMs } = host
  return (
    <tr>
      <th scope="row">{host.host}</th>
      <td data-label="URLs" class="number">
        {count(counts.admitted)}
      </td>
      <td data-label="Waiting" class="number">
        {count(counts.queued + counts.leased)}
      </td>
      <td data-label="Done" class="number">
        {count(counts.done)}
      </td>
      <td data-label="Excluded" class="number roomy">
        {count(counts.excluded)}
      </td>
      <td data-label="Dead" class="number">
        {counts.dead === 0 ? '0' : <a href={hrefTo('/dead', { crawl, host: host.host })}>{count(counts.dead)}</a>}
      </td>
      <td data-label="Pace" class="nowrap">
        {paceInWords(gapMs)}
      </td>
      <td data-label="Next visit" class="nowrap">
        {nextVisit(host, now)}
      </td>
      <td data-label="robots.txt" class="nowrap">
        <Robots robots={host.robots} now={now} />
      </td>
      <td data-label="Notes" class={hasNotes(host) ? 'wide' : 'none'}>
        <Notes host={host} />
      </td>
      <td class="actions">
        {may('operator') && (
          <button type="button" class="plain" onClick={() => choose(host)} aria-label={`Change ${host.host}`}>
            Change
          </button>
        )}
      </td>
    </tr>
  )
}

const robotsStates = { rules: 'rules', none: 'none', unavailable: 'failed' } as const

function Robots({ robots, now }: { robots: Host['robots']; now: number }) {
  if (robots === null) return <span class="soft">not asked for</span>
  return (
    <span class={robots.state === 'unavailable' ? 'bad' : ''} title={robotsInWords(robots, now)}>
      {robotsStates[robots.state]}
    </span>
  )
}

const hasNotes = ({ setting, hold, sunk }: Host) => Object.keys(setting).length > 0 || hold !== null || sunk

function Notes({ host: { setting, hold, sunk } }: { host: Host }) {
  return (
    <span class="row">
      {setting.block && <span class="badge bad">blocked</span>}
      {setting.pause && <span class="badge warn">paused</span>}
      {setting.delayMs !== undefined && <span class="badge">delay set</span>}
      {hold !== null && <span class="badge warn">{hold}</span>}
      {sunk && <span class="badge">mostly copies</span>}
      {setting.note !== undefined && <span class="soft">{setting.note}</span>}
    </span>
  )
}
