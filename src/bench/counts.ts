import type { Summary } from '../summary.ts'

/** What the site saw. */
export interface SiteCounts {
  readonly pages: number
  readonly repeats: number
  readonly robots: number
  readonly otherRequests: number
}

export interface ExpectedCounts {
  readonly pages: number
  /** For robots.txt. */
  readonly robots: number
}

/** Where crawl or site counted otherwise than must be, a sentence each. Benchmarks of crawls that lose pages are worthless. */
export function countFaults(expected: ExpectedCounts, summary: Summary, site: SiteCounts): string[] {
  const { pages, robots } = expected
  const comparisons: readonly (readonly [what: string, found: number, expected: number])[] = [
    ['pages in the crawl', summary.pages, pages],
    ['requests by the crawl', summary.requests, pages + robots],
    ['URLs that failed', summary.failed, 0],
    ['URLs left out', summary.excluded, 0],
    ['other answers', summary.redirects + summary.others, 0],
    ['pages asked of the site', site.pages, pages],
    ['pages asked for twice', site.repeats, 0],
    ['robots.txt files asked for', site.robots, robots],
    ['requests for what the site does not have', site.otherRequests, 0],
  ]
  return comparisons
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${found} ${what}, expected ${wanted}`)
}
