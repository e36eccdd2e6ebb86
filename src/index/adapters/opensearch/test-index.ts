import type { OpenSearch } from '../../../engines/opensearch/client.ts'
import { aliasOf } from '../../../engines/opensearch/versioned-index.ts'
import type { TextOf } from '../../excerpt.ts'
import { type OpenSearchIndex, openSearchIndex } from './opensearch-index.ts'

/** An index that can be asked to make all that was put searchable now, where a person would wait some seconds. */
export async function openTestIndex(
  engine: OpenSearch,
  crawl: string,
  textOf: TextOf = async () => undefined,
): Promise<OpenSearchIndex & { settled(): Promise<void> }> {
  const index = await openSearchIndex({ engine, crawl, textOf })
  return Object.assign(index, {
    async settled() {
      await index.flush()
      await engine.ask({ method: 'POST', path: `/${aliasOf(engine, crawl, 'pages')}/_refresh` })
    },
  })
}
