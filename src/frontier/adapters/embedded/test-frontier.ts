import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import { openFacts } from '../../../embedded/facts.ts'
import type { TrapConfig } from '../../../url/config.ts'
import { frontierConfig } from '../../config.ts'
import { EmbeddedFrontier } from './embedded-frontier.ts'

/** For tests: a frontier with a gap of one second for every host. */
export function frontierOn(
  database: Database,
  fingerprint: (url: string) => number,
  clock: Clock = systemClock(),
  filterFile = join(mkdtempSync(join(tmpdir(), 'orbweaver-frontier-')), 'seen.bloom'),
  traps?: TrapConfig,
): EmbeddedFrontier {
  const initialPace = () => ({ gapMs: 1000, burst: 1, connections: 1, failures: 0 })
  const config = frontierConfig.parse({ leaseMs: 60_000 })
  const facts = openFacts(database)
  return new EmbeddedFrontier({
    database,
    facts,
    clock,
    config,
    fingerprint,
    filterFile,
    initialPace,
    ...(traps && { traps }),
  })
}
