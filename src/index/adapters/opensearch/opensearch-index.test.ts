import { newCrawl, openSearchForTests, testEngine } from '../../../engines/opensearch/test-engine.ts'
import { searchIndexConformance } from '../../search-index.conformance.ts'
import { openTestIndex } from './test-index.ts'

searchIndexConformance(
  'opensearch',
  (_, textOf) => {
    const crawl = newCrawl()
    return () => openTestIndex(testEngine(), crawl, textOf)
  },
  openSearchForTests.skip,
)
