import { useState } from 'preact/hooks'
import type { Host, HostSort } from '../../../api/schemas/host.ts'
import { useAsk } from '../data/ask.ts'
import { useCrawl } from '../data/crawls.ts'
import { duration } from '../data/format.ts'
import { place, show } from '../data/route.ts'
import { api } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { CrawlChoice, NoCrawl } from '../parts/crawl-choice.tsx'
import { Head } from '../parts/head.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { HostDialog } from './hosts/host-dialog.tsx'
import { HostTable } from './hosts/host-table.tsx'

const limit = 50
/** An order that is older is said to be so. */
const noticedMs = 10_000

/** Hosts of a crawl, some at a time: the server searches and sorts, so a million of them are no burden here. */
export function Hosts() {
  const crawl = useCrawl()
  const { query } = useStore(place)
  const [chosen, choose] = useState<Host | null>(null)
  const search = query.get('q') ?? ''
  const sort = (query.get('sort') ?? 'urls') as HostSort
  const order = query.get('order') === 'asc' ? 'asc' : 'desc'
  const offset = Number(query.get('offset') ?? 0)
  const asked = useAsk(
    crawl === undefined ? '' : `hosts ${JSON.stringify([crawl, search, sort, order, offset])}`,
    (signal) => api().listHosts({ params: { crawl: crawl! }, query: { search, sort, order, limit, offset } }, signal),
    3000,
  )
  return (
    <>
      <Head title="Hosts">
        <CrawlChoice crawl={crawl} />
      </Head>
      {crawl === undefined ? (
        <NoCrawl />
      ) : (
        <>
          <SearchField
            label="Search hosts by name"
            verb="Search"
            value={search}
            submit={(q) => show({ q, offset: undefined })}
          />
          <Answered asked={asked}>
            {({ hosts, total, ageMs }) => (
              <>
                {hosts.length === 0 ? (
                  <Empty>{search === '' ? 'This crawl has no hosts yet.' : 'No host has a name like this.'}</Empty>
                ) : (
                  <HostTable {...{ crawl, hosts, sort, order, choose }} />
                )}
                <Pager {...{ offset, limit, total }} shown={hosts.length} more={offset + hosts.length < total} />
                {ageMs > noticedMs && (
                  <p class="hint">So many hosts are put in order now and then, the last time {duration(ageMs)} ago.</p>
                )}
              </>
            )}
          </Answered>
        </>
      )}
      {chosen && <HostDialog host={chosen} close={() => choose(null)} changed={asked.again} />}
    </>
  )
}
