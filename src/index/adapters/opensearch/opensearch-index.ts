import { openBulk } from '../../../engines/opensearch/bulk.ts'
import type { Refusal } from '../../../engines/opensearch/bulk-answer.ts'
import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { aliasOf, ensureIndex } from '../../../engines/opensearch/versioned-index.ts'
import { excerpt, type TextOf } from '../../excerpt.ts'
import { isEmptyQuery, parseQuery, type SearchQuery, widened } from '../../query.ts'
import type { SearchIndex } from '../../search-index.ts'
import { type FoundPage, foundPages } from './found-pages.ts'
import { putOperation, removeOperation } from './page-operation.ts'
import { pagePlan, pagePlanFor } from './page-plan.ts'

/** A search index in OpenSearch or Elasticsearch, one for each crawl; safe from a crash after `flush`. */
export interface OpenSearchIndex extends SearchIndex {
  /** Resolves when all that was put before is safe; rejects when the engine was away for too long. */
  flush(): Promise<void>
}

export interface OpenSearchIndexOptions {
  readonly engine: OpenSearch
  readonly crawl: string
  readonly textOf: TextOf
  /** Told of each page that can never be indexed. Without it, `flush` rejects, with all other pages safe. */
  readonly onRefused?: (refusal: Refusal) => void
}

const EXCERPTS_AT_ONCE = 100

export async function openSearchIndex(options: OpenSearchIndexOptions): Promise<OpenSearchIndex> {
  const { engine, crawl, textOf, onRefused } = options
  const alias = aliasOf(engine, crawl, pagePlan.kind)
  await ensureIndex(engine, alias, pagePlanFor(engine.config.shards))
  const bulk = openBulk(engine, { alias, ...(onRefused ? { onRefused } : {}) })
  const newVersion = ascendingMoments(engine)

  async function matches(query: SearchQuery, limit: number, offset: number) {
    const found = await foundPages(engine, alias, query, limit, offset)
    const isAnswer = found.length > 0 || query.terms.length === 0
    if (isAnswer || (offset > 0 && (await foundPages(engine, alias, query, 1, 0)).length > 0)) return { found, query }
    const wide = widened(query)
    return { found: await foundPages(engine, alias, wide, limit, offset), query: wide }
  }

  async function withExcerpt(page: FoundPage, query: SearchQuery) {
    const text = await textOf(page.url)
    return { ...page, excerpt: text ? excerpt(text, query) : '' }
  }

  return {
    put: (document) => bulk.add(putOperation(document, document.fetchedAt ?? newVersion())),
    remove: (url, fetchedAt) => bulk.add(removeOperation(url, fetchedAt ?? newVersion())),
    async search(typed, limit, offset = 0) {
      const asked = parseQuery(typed)
      const wanted = wholeNumber(limit)
      if (isEmptyQuery(asked) || wanted === 0) return []
      const { found, query } = await matches(asked, wanted, wholeNumber(offset))
      const hits = []
      for (let at = 0; at < found.length; at += EXCERPTS_AT_ONCE) {
        const some = found.slice(at, at + EXCERPTS_AT_ONCE)
        hits.push(...(await Promise.all(some.map((page) => withExcerpt(page, query)))))
      }
      return hits
    },
    flush: () => bulk.flush(),
    [Symbol.asyncDispose]: () => bulk.flush(),
  }
}

/** For documents that do not say when they were fetched: what comes later is newer. */
function ascendingMoments({ clock }: OpenSearch): () => number {
  let last = 0
  return () => (last = Math.max(last + 1, clock.now()))
}

function wholeNumber(value: number): number {
  return value >= 1 ? Math.min(Math.floor(value), 2 ** 50) : 0
}
