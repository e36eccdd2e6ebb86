import { newCrawl, openSearchForTests, testEngine } from '../../../engines/opensearch/test-engine.ts'
import { recordStoreConformance } from '../../record-store.conformance.ts'
import { openSearchRecords } from './opensearch-records.ts'

const { skip } = openSearchForTests

recordStoreConformance(
  'opensearch',
  () => {
    const crawl = newCrawl()
    return async () => openSearchRecords(await testEngine(), crawl)
  },
  skip,
)
