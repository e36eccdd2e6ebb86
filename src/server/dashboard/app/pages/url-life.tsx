import type { UrlLife } from '../../../api/schemas/url.ts'
import { act } from '../data/act.ts'
import { useAsk } from '../data/ask.ts'
import { useCrawl } from '../data/crawls.ts'
import { moment, relative } from '../data/format.ts'
import { hrefTo, place, show } from '../data/route.ts'
import { api, may } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { toneOf } from '../data/tones.ts'
import { Badge } from '../parts/badge.tsx'
import { CrawlChoice, NoCrawl } from '../parts/crawl-choice.tsx'
import { CrawledUrl, Outside } from '../parts/crawled-url.tsx'
import { Head } from '../parts/head.tsx'
import { Prose } from '../parts/prose.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Answered, Empty } from '../parts/states.tsx'

/** The life of one URL: who found it, what was decided, each visit, what comes next. */
export function UrlLifePage() {
  const crawl = useCrawl()
  const { query } = useStore(place)
  const url = query.get('url') ?? ''
  const asked = useAsk(
    crawl === undefined || url === '' ? '' : `url ${crawl} ${url}`,
    (signal) => api().explainUrl({ params: { crawl: crawl! }, query: { url } }, signal),
    5000,
  )
  return (
    <>
      <Head title="URL">
        <CrawlChoice crawl={crawl} />
      </Head>
      {crawl === undefined ? (
        <NoCrawl />
      ) : (
        <>
          <SearchField
            label="URL to explain"
            placeholder="https://example.com/page"
            verb="Explain"
            value={url}
            submit={(text) => show({ url: text })}
          />
          {url === '' ? (
            <Empty>Any URL can be explained, also one that the crawl has never met.</Empty>
          ) : (
            <Answered asked={asked}>{(life) => <Life crawl={crawl} life={life} changed={asked.again} />}</Answered>
          )}
        </>
      )}
    </>
  )
}

/** Of others the frontier may have forgotten where they stood. */
const waiting: readonly string[] = ['queued', 'leased']

function Life({ crawl, life, changed }: { crawl: string; life: UrlLife; changed: () => void }) {
  const { url, state, entry, hasPage, events } = life
  const params = { crawl }
  const retry = async () => {
    if (await act(() => api().retryDeadLetters({ params, body: { urls: [url] } }), 'It is queued again.')) changed()
  }
  const offer = async () => {
    const told = (answer: unknown) =>
      admissionInWords(answer as { admissions: { admission: string; reason: string | null }[] })
    if (await act(() => api().offerUrls({ params, body: { urls: [url] } }), told)) changed()
  }
  return (
    <section class="panel stack">
      <h2>{url}</h2>
      <div class="row">
        <Badge state={state} />
        {entry && waiting.includes(state) && (
          <span class="soft">
            {entry.band} band, {entry.depth === 0 ? 'a seed' : `${entry.depth} links from a seed`}
          </span>
        )}
      </div>
      <div class="row">
        {hasPage && (
          <a class="button" href={hrefTo('/page', { crawl, url })}>
            Read the page
          </a>
        )}
        {state === 'dead' && may('operator') && (
          <button type="button" onClick={retry}>
            Retry
          </button>
        )}
        {state === 'unknown' && may('operator') && (
          <button type="button" onClick={offer}>
            Offer it to the crawl
          </button>
        )}
        <Outside url={url}>Open on the web</Outside>
      </div>
      {entry?.parent && (
        <p>
          Found on <CrawledUrl crawl={crawl} url={entry.parent} />
        </p>
      )}
      <Timeline events={events} />
    </section>
  )
}

function Timeline({ events }: { events: UrlLife['events'] }) {
  const now = Date.now()
  return (
    <ol class="timeline">
      {events.map(({ at, kind, detail }, i) => (
        <li key={`${i} ${kind}`} class={toneOf(kind)}>
          <b>{kind}</b>
          {at !== null && (
            <span class="soft">
              {' '}
              {moment(at)}, {relative(at, now)}
            </span>
          )}
          <div>
            <Prose text={detail} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function admissionInWords({
  admissions: [first],
}: {
  admissions: { admission: string; reason: string | null }[]
}): string {
  if (first === undefined) return 'Nothing was offered.'
  return first.reason === null ? `It is ${first.admission}.` : `It is ${first.admission}: ${first.reason}.`
}
