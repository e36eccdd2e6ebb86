import { crawls } from '../data/crawls.ts'
import { show } from '../data/route.ts'
import { useStore } from '../data/store.ts'

/** Which crawl a page is about; where there is only one, there is nothing to choose. */
export function CrawlChoice({ crawl }: { crawl: string | undefined }) {
  const known = useStore(crawls) ?? []
  if (known.length < 2) return crawl === undefined ? null : <span class="soft">{crawl}</span>
  return (
    <label class="row">
      <span class="soft">Crawl</span>
      <select
        class="narrow"
        value={crawl}
        onChange={({ currentTarget }) => show({ crawl: currentTarget.value, offset: undefined })}
      >
        {known.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  )
}

export function NoCrawl() {
  const known = useStore(crawls)
  return (
    <div class="state">
      {known === null ? (
        'Loading…'
      ) : (
        <p>
          There is no crawl yet. <a href="/crawls/new">Start one</a>.
        </p>
      )}
    </div>
  )
}
