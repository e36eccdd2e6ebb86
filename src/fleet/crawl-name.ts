import { checkedId } from './registry/keys.ts'

/** A name for a crawl that was given none: the host of its first seed and the moment of its start. */
export function newCrawlName(seeds: readonly string[], at: Date): string {
  const [seed = ''] = seeds
  const hostname = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(seed) ? seed : `https://${seed}`)?.hostname ?? ''
  const host = hostname.startsWith('[') ? '' : hostname.replaceAll(/[^a-z0-9.-]/g, '').slice(0, 40)
  const moment = at
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .toLowerCase()
  return checkedId(/^[a-z0-9]/.test(host) ? `${host}-${moment}` : `crawl-${moment}`)
}
