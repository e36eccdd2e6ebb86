import type { CrawlSummary } from '../../../api/schemas/crawl.ts'
import { useAsk } from '../data/ask.ts'
import { count, moment, relative } from '../data/format.ts'
import { hrefTo, place } from '../data/route.ts'
import { api, may } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { Badge } from '../parts/badge.tsx'
import { Head } from '../parts/head.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { CrawlDetails } from './crawls/details.tsx'

/** All crawls, or the one that the address names. */
export function Crawls() {
  const { query } = useStore(place)
  const crawl = query.get('crawl')
  return crawl === null ? <CrawlList /> : <CrawlDetails key={crawl} crawl={crawl} />
}

function CrawlList() {
  const asked = useAsk('crawls', (signal) => api().listCrawls({}, signal), 3000)
  return (
    <>
      <Head title="Crawls">
        {may('operator') && (
          <a class="button primary" href="/crawls/new">
            New crawl
          </a>
        )}
      </Head>
      <Answered asked={asked}>
        {({ crawls }) =>
          crawls.length === 0 ? (
            <Empty>
              There is no crawl yet. <a href="/crawls/new">Start one</a>.
            </Empty>
          ) : (
            <CrawlTable crawls={crawls} />
          )
        }
      </Answered>
    </>
  )
}

function CrawlTable({ crawls }: { crawls: readonly CrawlSummary[] }) {
  const now = Date.now()
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Crawl</th>
            <th scope="col">State</th>
            <th scope="col">Because</th>
            <th scope="col" class="number">
              Seeds
            </th>
            <th scope="col">Started</th>
            <th scope="col">In this state since</th>
          </tr>
        </thead>
        <tbody>
          {crawls.map(({ id, state, detail, seedCount, createdAt, changedAt }) => (
            <tr key={id}>
              <th scope="row">
                <a href={hrefTo('/crawls', { crawl: id })}>{id}</a>
              </th>
              <td data-label="State">
                <Badge state={state} />
              </td>
              <td data-label="Because" class={detail === '' ? 'none' : 'wide'}>
                {detail}
              </td>
              <td data-label="Seeds" class="number">
                {count(seedCount)}
              </td>
              <td data-label="Started" class="nowrap">
                {moment(createdAt)}
              </td>
              <td data-label="Since" class="nowrap">
                {relative(Math.min(changedAt, now), now)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
