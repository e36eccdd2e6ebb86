import type { Crawl, Outlook } from '../../../../api/schemas/crawl.ts'
import { useAsk } from '../../data/ask.ts'
import { bytes, count, duration, moment, percent, short } from '../../data/format.ts'
import { hrefTo } from '../../data/route.ts'
import { api } from '../../data/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { CrawledUrl } from '../../parts/crawled-url.tsx'
import { Head } from '../../parts/head.tsx'
import { Answered } from '../../parts/states.tsx'
import { CrawlActions } from './actions.tsx'
import { Counters } from './counters.tsx'
import { LimitsForm } from './limits-form.tsx'
import { StatesBar } from './states-bar.tsx'

const shownSeeds = 10

/** One crawl: what it has done, what is left, and what can be done about it. */
export function CrawlDetails({ crawl: id }: { crawl: string }) {
  const asked = useAsk(`crawl ${id}`, (signal) => api().getCrawl({ params: { crawl: id } }, signal), 2000)
  return (
    <>
      <Head title={id}>
        {asked.answer && <Badge state={asked.answer.state} />}
        {asked.answer && <CrawlActions crawl={asked.answer} changed={asked.again} />}
      </Head>
      <Answered asked={asked}>{(crawl) => <Details crawl={crawl} changed={asked.again} />}</Answered>
    </>
  )
}

function Details({ crawl, changed }: { crawl: Crawl; changed: () => void }) {
  const { id, detail, counts, tally } = crawl
  return (
    <>
      {detail !== '' && <div class="notice">{detail}</div>}
      <Figures crawl={crawl} />
      <StatesBar counts={counts} />
      <nav class="row" aria-label="Of this crawl">
        <a href={hrefTo('/hosts', { crawl: id })}>Hosts</a>
        <a href={hrefTo('/search', { crawl: id })}>Search</a>
        <a href={hrefTo('/dead', { crawl: id })}>Dead letters</a>
      </nav>
      <div class="columns">
        <div class="stack">
          <LimitsForm crawl={crawl} changed={changed} />
          <Counters title="Errors by kind" counters={tally.errors} none="No attempt has failed." />
        </div>
        <div class="stack">
          <Counters title="Links not taken, by rule" counters={tally.refused} none="Every link was taken." />
          {Object.keys(tally.found).length > 0 && (
            <Counters title="URLs that sitemaps and feeds list" counters={tally.found} none="" />
          )}
          <Orders crawl={crawl} />
        </div>
      </div>
    </>
  )
}

function Orders({ crawl: { id, seeds, seedCount, settings } }: { crawl: Crawl }) {
  return (
    <section class="panel stack">
      <h2>Seeds</h2>
      <ul class="links">
        {seeds.slice(0, shownSeeds).map((url) => (
          <li key={url}>
            <CrawledUrl crawl={id} url={url} />
          </li>
        ))}
      </ul>
      {seedCount > shownSeeds && <p class="soft">and {count(seedCount - shownSeeds)} others</p>}
      <h2>Settings as given</h2>
      <pre class="source">{JSON.stringify(settings, null, 2)}</pre>
    </section>
  )
}

function again(tally: Crawl['tally'], outlook: Outlook): readonly (readonly [string, string])[] {
  return [
    ['Visited again', `${count(tally.revisits)} (${count(tally.unchanged)} unchanged)`],
    ['Due again', `${count(outlook.overdue)} of ${count(outlook.planned)}`],
    ['Next due', outlook.nextAt === null ? '–' : moment(outlook.nextAt)],
  ]
}

function Figures({ crawl }: { crawl: Crawl }) {
  const { tally, outlook, pagesPerSecond, timeLeftMs, openHosts, createdAt } = crawl
  const copies = tally.pages === 0 ? '' : ` (${percent((tally.duplicates + tally.nearDuplicates) / tally.pages)})`
  const figures: readonly (readonly [string, string])[] = [
    ['Pages', count(tally.pages)],
    ['Pages/s', pagesPerSecond === null ? '–' : short(pagesPerSecond)],
    ['Time left', timeLeftMs === null ? '–' : duration(timeLeftMs)],
    ['Hosts open', count(openHosts)],
    ['Requests', count(tally.requests)],
    ['Received', bytes(tally.bytes)],
    ['Copies', count(tally.duplicates + tally.nearDuplicates) + copies],
    ['Redirects', count(tally.redirects)],
    ['Failed attempts', count(tally.failures)],
    ['Started', moment(createdAt)],
    ...(outlook ? again(tally, outlook) : []),
  ]
  return (
    <dl class="figures panel">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
