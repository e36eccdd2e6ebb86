import { useAsk } from '../data/ask.ts'
import { useCrawl } from '../data/crawls.ts'
import { stretchesOf } from '../data/excerpt.ts'
import { hrefTo, place, show } from '../data/route.ts'
import { api } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { CrawlChoice, NoCrawl } from '../parts/crawl-choice.tsx'
import { CrawledUrl } from '../parts/crawled-url.tsx'
import { Head } from '../parts/head.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Answered, Empty } from '../parts/states.tsx'

const limit = 20

export function Search() {
  const crawl = useCrawl()
  const { query } = useStore(place)
  const q = query.get('q') ?? ''
  const offset = Number(query.get('offset') ?? 0)
  const asked = useAsk(
    crawl === undefined || q === '' ? '' : `search ${JSON.stringify([crawl, q, offset])}`,
    (signal) => api().search({ params: { crawl: crawl! }, query: { q, limit, offset } }, signal),
  )
  return (
    <>
      <Head title="Search">
        <CrawlChoice crawl={crawl} />
      </Head>
      {crawl === undefined ? (
        <NoCrawl />
      ) : (
        <>
          <SearchField
            label="Search pages"
            verb="Search"
            value={q}
            submit={(text) => show({ q: text, offset: undefined })}
          />
          {q === '' ? (
            <Help />
          ) : (
            <Answered asked={asked}>
              {({ hits, more }) =>
                hits.length === 0 ? (
                  <Empty>No page has these words.</Empty>
                ) : (
                  <>
                    <ol class="hits">
                      {hits.map((hit) => (
                        <Hit key={hit.url} crawl={crawl} {...hit} />
                      ))}
                    </ol>
                    <Pager {...{ offset, limit, more }} shown={hits.length} />
                  </>
                )
              }
            </Answered>
          )}
        </>
      )}
    </>
  )
}

function Hit({ crawl, url, title, excerpt }: { crawl: string; url: string; title: string; excerpt: string }) {
  return (
    <li>
      <a class="hit-title" href={hrefTo('/page', { crawl, url })}>
        {title === '' ? url : title}
      </a>
      <div class="hint">
        <CrawledUrl crawl={crawl} url={url} />
      </div>
      <p>
        {stretchesOf(excerpt).map(({ text, isMatch }, i) =>
          isMatch ? <mark key={`${i} ${text}`}>{text}</mark> : text,
        )}
      </p>
    </li>
  )
}

function Help() {
  return (
    <div class="state">
      <p>
        Words, <code>"phrases"</code>, <code>-without</code>, <code>prefix*</code>, and the filters <code>site:</code>{' '}
        <code>lang:</code> <code>title:</code> <code>after:</code> <code>before:</code>
      </p>
    </div>
  )
}
