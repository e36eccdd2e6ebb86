import type { CrawlPulse } from '../../../../api/schemas/overview.ts'
import { count, duration, short } from '../../data/format.ts'
import { hrefTo } from '../../data/route.ts'
import { Badge } from '../../parts/badge.tsx'
import { Progress } from '../../parts/progress.tsx'
import { Empty } from '../../parts/states.tsx'

export function ActiveCrawls({ crawls }: { crawls: readonly CrawlPulse[] }) {
  if (crawls.length === 0)
    return (
      <Empty>
        No crawl is active. <a href="/crawls">All crawls</a>
      </Empty>
    )
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Active crawl</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Pages
            </th>
            <th scope="col" class="number">
              Pages/s
            </th>
            <th scope="col" class="number">
              Waiting
            </th>
            <th scope="col" class="number">
              Dead
            </th>
            <th scope="col">Known URLs visited</th>
            <th scope="col" class="number">
              Time left
            </th>
          </tr>
        </thead>
        <tbody>
          {crawls.map((crawl) => (
            <tr key={crawl.id}>
              <th scope="row">
                <a href={hrefTo('/crawls', { crawl: crawl.id })}>{crawl.id}</a>
              </th>
              <td data-label="State">
                <Badge state={crawl.state} />
              </td>
              <td data-label="Pages" class="number">
                {count(crawl.pages)}
              </td>
              <td data-label="Pages/s" class="number">
                {short(crawl.pagesPerSecond)}
              </td>
              <td data-label="Waiting" class="number">
                {count(crawl.counts.queued)}
              </td>
              <td data-label="Dead" class="number">
                {count(crawl.counts.dead)}
              </td>
              <td data-label="Visited" class="wide">
                <Progress counts={crawl.counts} />
              </td>
              <td data-label="Time left" class="number">
                {crawl.timeLeftMs === null ? '–' : duration(crawl.timeLeftMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
