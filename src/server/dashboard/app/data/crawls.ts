import { useEffect } from 'preact/hooks'
import type { CrawlSummary } from '../../../api/schemas/crawl.ts'
import { place } from './route.ts'
import { api, entry } from './session.ts'
import { store, useStore } from './store.ts'

/** The crawls that the server knows, the newest first; null until it has told. */
export const crawls = store<readonly CrawlSummary[] | null>(null)

export async function askCrawls(): Promise<void> {
  const answer = await api().listCrawls()
  crawls.set(answer.crawls)
}

/** The crawl that the reader looks at: the one in the address, else the one last chosen, else the newest. */
export function useCrawl(): string | undefined {
  const { query } = useStore(place)
  const known = useStore(crawls)
  const { kind } = useStore(entry)
  useEffect(() => {
    if (known === null && kind === 'in') askCrawls().catch(() => crawls.set([]))
  }, [known, kind])
  const named = query.get('crawl')
  if (named !== null) {
    sessionStorage.setItem('crawl', named)
    return named
  }
  const last = sessionStorage.getItem('crawl')
  if (known?.some(({ id }) => id === last)) return last!
  return known?.[0]?.id
}
