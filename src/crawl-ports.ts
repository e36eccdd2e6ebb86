import type { Clock } from './clock.ts'
import type { NearDuplicates } from './dedup/near-duplicates.ts'
import type { Frontier } from './frontier/frontier.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { HostDecisions } from './politeness/host-decisions.ts'
import type { RobotsStore } from './politeness/robots-store.ts'
import type { Archive } from './store/archive.ts'
import type { RecordStore } from './store/record-store.ts'
import type { PageLimit } from './worker/limits.ts'
import type { WidenedHosts } from './worker/moved-seeds.ts'

/** All that a crawl stands on, whichever engines are behind it. */
export interface CrawlPorts extends AsyncDisposable {
  readonly clock: Clock
  readonly frontier: Frontier
  readonly records: RecordStore
  readonly archive: Archive
  readonly nearDuplicates: NearDuplicates
  readonly index: SearchIndex
  readonly robots: RobotsStore
  readonly limit: PageLimit
  readonly widened: WidenedHosts
  readonly decisions: Pick<HostDecisions, 'for'>
  /** Resolves when all that archive, records and index were given before is safe: then its visits may be settled. */
  safe(): Promise<void>
  /**
   * Resolves when what waits to be made safe is little enough for more; `undefined`: it is now. Left out: always.
   */
  room?(): Promise<void> | undefined
  /** Nothing more will come for now: what waits to be made safe with others waits no longer. Left out: nothing waits. */
  hasten?(): void
  /** Calls `wake` when others have brought something to visit. Left out: nobody tells, and it must be looked for. */
  onWork?(wake: () => void): void
  /** The engines can no longer be written to: the crawl must stop. */
  onFailure(report: (error: Error) => void): void
}
