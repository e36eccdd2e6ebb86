import type { Config } from '../config/schema.ts'
import type { Candidate } from '../frontier/frontier.ts'
import { offers } from '../monitor/events.ts'
import { Candidates, candidateRules } from '../reading/candidates.ts'
import { openPageReader } from '../reading/open-page-reader.ts'
import { intervalsOf } from '../schedule/config.ts'
import type { Stream } from '../stream/stream.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import { Keeper } from '../worker/keeper.ts'
import { followMovedSeeds } from '../worker/moved-seeds.ts'
import { ParseStage } from '../worker/parse-stage.ts'
import type { FleetPorts } from './open-ports.ts'

export interface ParsingParts {
  readonly ports: FleetPorts
  readonly stream: Stream
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
  readonly draining: AbortSignal
  readonly onPage: () => void
}

/** So many are made safe together: parsing one takes a millisecond, and a group a second. */
const pagesAtOnce = 200

/** Parses what others fetch, until told to stop; more processes parse more. */
export async function parseCrawl({ ports, stream, config, seeds, draining, onPage }: ParsingParts): Promise<void> {
  const { clock, frontier, records, nearDuplicates, archive, widened } = ports
  const orders = { config, seeds, wholePages: false, maxHeldBytes: config.fetch.maxHeldBytes }
  await using reader = openPageReader(orders, clock, draining)
  const scope = makeScope({ ...config.url, seeds })
  widened.each((host) => {
    scope.widen(host)
    reader.widen(host)
  })
  const index = config.worker.index && config.worker.text ? ports.index : undefined
  const keeper = new Keeper({
    ...{ records, nearDuplicates, index, maxLinks: () => config.limits.maxLinksPerPage },
    recrawl: intervalsOf(config.recrawl),
    candidates: new Candidates(candidateRules(config, scope), clock),
    onSeedMoved: followMovedSeeds(scope, widened),
    async offer(candidates: readonly Candidate[]) {
      const admissions = await frontier.offer(candidates)
      if (offers.isHeard) offers.tell({ admissions })
    },
  })
  const stage = new ParseStage({ reader, archive, keeper, records, frontier, safe: () => ports.safe() })
  await stream.take(
    async (page) => {
      await stage.read(page)
      onPage()
    },
    { atOnce: pagesAtOnce, signal: draining },
  )
}
