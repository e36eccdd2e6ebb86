import type { PageAnswer } from '../../../api/schemas/page.ts'
import { useAsk } from '../data/ask.ts'
import { useCrawl } from '../data/crawls.ts'
import { hrefTo, place } from '../data/route.ts'
import { api } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { CrawlChoice, NoCrawl } from '../parts/crawl-choice.tsx'
import { CrawledUrl, Outside } from '../parts/crawled-url.tsx'
import { Head } from '../parts/head.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { Facts } from './page-view/facts.tsx'
import { Links } from './page-view/links.tsx'
import { Markdown, Source, Text } from './page-view/texts.tsx'
import { Visits } from './page-view/visits.tsx'

const views = [
  { id: 'text', name: 'Text' },
  { id: 'markdown', name: 'Markdown' },
  { id: 'source', name: 'Source' },
  { id: 'links', name: 'Links' },
  { id: 'history', name: 'History' },
  { id: 'facts', name: 'Facts' },
] as const

/** A stored page, in every form that is kept of it; always as text, so that nothing of it can run. */
export function PageView() {
  const crawl = useCrawl()
  const { query } = useStore(place)
  const url = query.get('url') ?? ''
  const view = query.get('view') ?? 'text'
  const asked = useAsk(crawl === undefined || url === '' ? '' : `page ${crawl} ${url}`, (signal) =>
    api().getPage({ params: { crawl: crawl! }, query: { url } }, signal),
  )
  if (crawl === undefined) return <NoCrawl />
  const title = asked.answer?.title || 'Page'
  return (
    <>
      <Head title={title}>
        <CrawlChoice crawl={crawl} />
      </Head>
      {url === '' ? (
        <Empty>
          No page was named. <a href="/search">Search</a>
        </Empty>
      ) : (
        <Answered asked={asked}>
          {(page) => (
            <>
              <div class="row">
                <CrawledUrl crawl={crawl} url={page.url} />
                <Outside url={page.url}>Open on the web</Outside>
              </div>
              <Tabs
                label="Forms of the page"
                tabs={views.map(({ id, name }) => ({
                  name,
                  href: hrefTo('/page', { crawl, url, view: id }),
                  isCurrent: view === id,
                }))}
              />
              <Shown crawl={crawl} page={page} view={view} />
            </>
          )}
        </Answered>
      )}
    </>
  )
}

function Shown({ crawl, page, view }: { crawl: string; page: PageAnswer; view: string }) {
  const of = { crawl, url: page.url }
  switch (view) {
    case 'markdown':
      return <Markdown {...of} />
    case 'source':
      return <Source {...of} />
    case 'links':
      return <Links {...of} />
    case 'history':
      return <Visits visits={page.visits} />
    case 'facts':
      return <Facts crawl={crawl} page={page} />
    default:
      return <Text {...of} />
  }
}
