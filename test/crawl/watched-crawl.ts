import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { openCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { settlements } from '../../src/monitor/events.ts'

/** What a crawl had done when the last page of the good hosts was settled. */
export interface Watched {
  readonly goodPages: number
  /** Visits of all other hosts that were settled, or put off, until then. */
  readonly otherVisits: number
  /** From the first good page to the last. */
  readonly goodMs: number
  /** From the beginning to the last good page. */
  readonly untilLastGoodMs: number
  /** When the last page of each good host was settled, the longest of all but one in a hundred. */
  readonly slowestHostsMs: number
  readonly cpuMs: number
  readonly peakRssBytes: number
}

/**
 * Crawls the folder in a process of its own and prints what became of the good hosts (`good…`), of which so many pages are
 * expected. `--until-good`: ends with the last of them; else when nothing is left, after which the peak of memory counts.
 */
const [path = '', expected = '0', until] = process.argv.slice(2)
const folder = openCrawlFolder(path)
const { config } = loadConfig({ base: folder.orders.config as Tree })

const startedAt = performance.now()
const lastOfHost = new Map<string, number>()
let goodPages = 0
let otherVisits = 0
let firstAt = 0
let lastAt = 0
let cpuMs = 0
let peakRssBytes = 0

{
  await using crawl = await openCrawl(folder, config)
  settlements.listen(({ host, visit }) => {
    const now = performance.now()
    if (!host.startsWith('good')) {
      if (goodPages < Number(expected)) otherVisits++
      return
    }
    if (visit.kind !== 'done') return
    if (goodPages++ === 0) firstAt = now
    lastAt = now
    lastOfHost.set(host, now - startedAt)
    if (goodPages < Number(expected)) return
    const { user, system } = process.cpuUsage()
    cpuMs = (user + system) / 1000
    peakRssBytes = process.resourceUsage().maxRSS * 1024
    if (until === '--until-good') crawl.abort()
  })
  await crawl.run()
}
if (until !== '--until-good') peakRssBytes = process.resourceUsage().maxRSS * 1024

const slowest = [...lastOfHost.values()].sort((a, b) => a - b)
const watched: Watched = {
  goodPages,
  otherVisits,
  goodMs: Math.round(lastAt - firstAt),
  untilLastGoodMs: Math.round(lastAt - startedAt),
  slowestHostsMs: Math.round(slowest[Math.floor(slowest.length * 0.99)] ?? 0),
  cpuMs: Math.round(cpuMs),
  peakRssBytes,
}
process.stdout.write(`${JSON.stringify(watched)}\n`)
