import { type FrontierUnderTest, frontierConformance } from '../../frontier.conformance.ts'
import { arrived, skip, testCrawl } from './test-kafka-frontier.ts'

frontierConformance('kafka', openUnderTest, { skip: skip || undefined, crash: null })

async function openUnderTest(): Promise<FrontierUnderTest> {
  const crawl = await testCrawl(1)
  let frontier = await crawl.open()
  return {
    get frontier() {
      return frontier
    },
    advance(ms) {
      crawl.fleet.time.now += ms
    },
    async reopen() {
      await frontier[Symbol.asyncDispose]()
      frontier = await crawl.open()
    },
    arrive: () => arrived(frontier),
    async crash() {},
    async [Symbol.asyncDispose]() {
      await frontier[Symbol.asyncDispose]()
      await crawl[Symbol.asyncDispose]()
    },
  }
}
