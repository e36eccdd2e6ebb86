import type { Config } from './config/schema.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import type { Candidate } from './frontier/frontier.ts'
import { offers } from './monitor/events.ts'
import { Candidates, candidateRules } from './reading/candidates.ts'
import { intervalsOf } from './schedule/config.ts'
import type { CanonicalUrl } from './url/keys.ts'
import { makeScope } from './url/scope.ts'
import { Keeper } from './worker/keeper.ts'
import type { Mirrors } from './worker/mirrors.ts'
import { followMovedSeeds } from './worker/moved-seeds.ts'

export interface CrawlKeeperParts {
  readonly ports: Pick<CrawlPorts, 'clock' | 'frontier' | 'records' | 'nearDuplicates' | 'index' | 'widened'>
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
  /** Of each page; 0: all. */
  readonly maxLinks: () => number
  /** Whether pages may be put off to learn what their host answers to anything. */
  readonly asksForMissing: boolean
  /** Told of every page. Left out: nobody asks for mirrors. */
  readonly mirrors?: Mirrors
  /** A host has been taken into the scope. */
  readonly onWidened: (host: string) => void
  /** There may be something to visit. Left out: somebody else looks for it. */
  readonly onAdmitted?: () => void
}

export interface CrawlKeeper {
  readonly keeper: Keeper
  readonly candidates: Candidates
  readonly offer: (found: readonly Candidate[]) => Promise<void>
}

/** What keeps the pages of a crawl and offers what they link to, whoever has fetched them. */
export function crawlKeeper(parts: CrawlKeeperParts): CrawlKeeper {
  const { ports, config, seeds, maxLinks, asksForMissing, mirrors, onWidened, onAdmitted } = parts
  const { clock, frontier, records, nearDuplicates, widened } = ports
  const scope = makeScope({ ...config.url, seeds })
  widened.each((host) => {
    scope.widen(host)
    onWidened(host)
  })
  const candidates = new Candidates(candidateRules(config, scope), clock)
  const index = config.worker.index && config.worker.text ? ports.index : undefined
  async function offer(found: readonly Candidate[]): Promise<void> {
    const admissions = await frontier.offer(found)
    if (offers.isHeard) offers.tell({ admissions })
    if (admissions.includes('admitted')) onAdmitted?.()
  }
  const keeper = new Keeper({
    ...{ records, nearDuplicates, index, candidates, offer, maxLinks, asksForMissing },
    recrawl: intervalsOf(config.recrawl),
    ...(mirrors && { mirrors }),
    onSeedMoved: followMovedSeeds(scope, widened),
  })
  return { keeper, candidates, offer }
}
