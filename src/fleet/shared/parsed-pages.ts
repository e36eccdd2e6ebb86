import type { Courier } from '../../engines/redis/courier.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import type { Shards } from '../../engines/redis/shards.ts'
import type { FetchedPage } from '../../stream/stream.ts'
import type { PageTally } from '../../worker/parse-stage.ts'

export interface ParsedPagesOptions {
  readonly courier: Courier
  readonly shards: Shards
  readonly crawl: string
  readonly fingerprint: (text: string) => number
}

const script = scriptOf(new URL('./count-once.lua', import.meta.url))

/**
 * Counts what parsing a page has brought. It comes again when a parser dies before it has acknowledged it, and as another
 * letter when whoever fetched it died before it had settled it: a URL counts once, and once more each time it is
 * revisited.
 */
export function parsedPages({ courier, shards, crawl, fingerprint }: ParsedPagesOptions): PageTally {
  return {
    async addOnce(page, adds) {
      const shard = shards.of(page.host)
      const counts = shards.crawlKey(shard, crawl, 'counts')
      const args = [shards.crawlKey(shard, crawl, 'parsed:'), fingerprint(tokenOf(page)), JSON.stringify(adds)]
      await courier.ask({ keys: [counts], script, args, mayWait: true })
    },
  }
}

function tokenOf({ request, exchange }: FetchedPage): string {
  return request.isRevisit ? `${request.url}\n${exchange.startedAt}` : `${request.url}\n${request.attempts}`
}
