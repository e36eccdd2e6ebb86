import type { PageAnswer } from '../../../../api/schemas/page.ts'
import { bytes, duration, moment } from '../../data/format.ts'
import { Badge } from '../../parts/badge.tsx'

/** Every visit to the page, the latest first. */
export function Visits({ visits }: { visits: PageAnswer['visits'] }) {
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What it brought</th>
            <th scope="col" class="number">
              Status
            </th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {visits.toReversed().map((visit, i) => (
            <tr key={`${visit.at} ${i}`}>
              <th scope="row" class="nowrap">
                {moment(visit.at)}
              </th>
              <td data-label="Brought">
                <Badge state={visit.kind} />
              </td>
              <td data-label="Status" class="number">
                {visit.status ?? '–'}
              </td>
              <td data-label="Size" class="number">
                {bytes(visit.bytes)}
              </td>
              <td data-label="Took" class="number">
                {duration(visit.durationMs)}
              </td>
              <td data-label="Details" class={visit.detail === '' ? 'none' : 'wide'}>
                {visit.detail}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
