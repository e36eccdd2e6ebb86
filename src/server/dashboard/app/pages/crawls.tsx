import type { CrawlSummary } from '../../../api/schemas/crawl.ts'
import type { CrawlPulse } from '../../../api/schemas/overview.ts'
import { useAsk } from '../data/ask.ts'
import { count, duration, moment } from '../data/format.ts'
import { live } from '../data/live.ts'
import { hrefTo, place } from '../data/route.ts'
import { api, may } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { Badge } from '../parts/badge.tsx'
import { Head } from '../parts/head.tsx'
import { Progress } from '../parts/progress.tsx'
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
  const { now } = useStore(live)
  const pulses = new Map(now?.crawls.map((pulse) => [pulse.id, pulse]))
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Crawl</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Pages
            </th>
            <th scope="col">Known URLs visited</th>
            <th scope="col" class="number">
              Time left
            </th>
            <th scope="col" class="number">
              Seeds
            </th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {crawls.map((crawl) => (
            <CrawlRow key={crawl.id} crawl={crawl} pulse={pulses.get(crawl.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How far it is, is known of those that are active. */
function CrawlRow({ crawl, pulse }: { crawl: CrawlSummary; pulse: CrawlPulse | undefined }) {
  const { id, state, detail, seedCount, createdAt, changedAt } = crawl
  const now = Date.now()
  const absent = pulse ? '' : 'none'
  return (
    <tr>
      <th scope="row">
        <a href={hrefTo('/crawls', { crawl: id })}>{id}</a>
        {detail !== '' && <div class="hint">{detail}</div>}
      </th>
      <td data-label="State" class="wide">
        <span class="row">
          <Badge state={state} />
          <span class="hint nowrap">for {duration(Math.max(0, now - changedAt))}</span>
        </span>
      </td>
      <td data-label="Pages" class={`number ${absent}`}>
        {pulse && count(pulse.pages)}
      </td>
      <td data-label="Visited" class={`wide ${absent}`}>
        {pulse && <Progress counts={pulse.counts} />}
      </td>
      <td data-label="Time left" class={`number ${absent}`}>
        {pulse && (pulse.timeLeftMs === null ? '–' : duration(pulse.timeLeftMs))}
      </td>
      <td data-label="Seeds" class="number">
        {count(seedCount)}
      </td>
      <td data-label="Started" class="nowrap wide">
        {moment(createdAt)}
      </td>
    </tr>
  )
}
