import type { Config } from '../config/schema.ts'
import { crawlKeeper } from '../crawl-keeper.ts'
import { openPageReader } from '../reading/open-page-reader.ts'
import type { Stream } from '../stream/stream.ts'
import type { CanonicalUrl } from '../url/keys.ts'
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
  const { clock, records, archive, parsed: tally } = ports
  const orders = { config, seeds, wholePages: false, maxHeldBytes: config.fetch.maxHeldBytes }
  await using reader = openPageReader(orders, clock, draining)
  const { keeper } = crawlKeeper({
    ...{ ports, config, seeds, maxLinks: () => config.limits.maxLinksPerPage },
    // Its visit is settled: it cannot be put off.
    asksForMissing: false,
    onWidened: (host) => reader.widen(host),
  })
  const stage = new ParseStage({ reader, archive, keeper, records, tally, safe: () => ports.safe() })
  await stream.take(
    async (page) => {
      await stage.read(page)
      onPage()
    },
    { atOnce: pagesAtOnce, signal: draining },
  )
}
