/** The crawl that was followed has failed: why, in one sentence; exit code 1. */
export class CrawlFailed extends Error {
  override readonly name = 'CrawlFailed'
}
