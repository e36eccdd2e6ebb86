import type { Clock } from '../clock.ts'
import type { Sums } from '../frontier/frontier.ts'
import {
  engineNews,
  fetches,
  lostLeases,
  offers,
  robotsAnswers,
  type SafeGroup,
  type SettledVisit,
  safeGroups,
  settlements,
  stages,
} from './events.ts'
import { type Family, Instruments } from './instruments.ts'
import { watchProcess } from './process-metrics.ts'

/** The metrics of this process. While it is open, components are listened to. */
export interface Metrics extends Disposable {
  families(): Family[]
  /** How long the oldest pages that are not yet safe have been waiting. */
  readonly storageLagMs: number
  /** What a worker tells the fleet of its work; flat, since it travels with its signs of life. */
  stats(): Record<string, number>
}

export function openMetrics(clock: Clock): Metrics {
  const instruments = new Instruments()
  const groups = new OpenGroups(clock, instruments)
  const sums: Record<string, number> = {}
  using stack = new DisposableStack()
  const process = stack.use(watchProcess(instruments))
  stack.use(settlements.listen((event) => countSettlement(instruments, sums, event)))
  stack.use(
    stages.listen(({ stage, durationMs }) => {
      if (stage === 'visit') instruments.observe('orbweaver_visit_seconds', durationMs / 1000)
      else instruments.observe('orbweaver_stage_seconds', durationMs / 1000, stage)
    }),
  )
  stack.use(
    fetches.listen(({ durationMs, code }) => {
      instruments.observe('orbweaver_fetch_seconds', durationMs / 1000)
      if (code === 'reader-died') instruments.add('orbweaver_parse_failures_total')
    }),
  )
  stack.use(
    offers.listen(({ admissions }) => {
      for (const admission of admissions) instruments.add('orbweaver_offers_total', 1, admission)
    }),
  )
  stack.use(robotsAnswers.listen(({ answer }) => instruments.add('orbweaver_robots_total', 1, answer)))
  stack.use(lostLeases.listen(() => instruments.add('orbweaver_leases_lost_total')))
  stack.use(safeGroups.listen((event) => groups.hear(event)))
  stack.use(
    engineNews.listen(({ engine, isAway }) => {
      instruments.set('orbweaver_engine_away', isAway ? 1 : 0, engine)
      if (isAway) instruments.add('orbweaver_engine_faults_total', 1, engine)
    }),
  )
  const listening = stack.move()
  return {
    families() {
      process.look()
      instruments.set('orbweaver_storage_lag_seconds', groups.oldestMs / 1000)
      return instruments.families()
    },
    get storageLagMs() {
      return groups.oldestMs
    },
    stats: () => ({ ...sums, storageLagMs: groups.oldestMs }),
    [Symbol.dispose]: () => listening.dispose(),
  }
}

const outcomes = {
  ...{ pages: 'page', redirects: 'redirect', others: 'other', failures: 'failed', revisits: 'revisit' },
} as const

/** Those that every worker tells of itself, beside `errors.…`. */
const toldToAll = ['requests', 'bytes', ...Object.keys(outcomes)]

function countSettlement(instruments: Instruments, sums: Record<string, number>, { visit, answer }: SettledVisit) {
  if (answer !== 'settled') return
  instruments.add('orbweaver_settlements_total', 1, visit.kind)
  const { adds } = visit
  if (!adds) return
  for (const name in adds) {
    const by = adds[name]!
    countSum(instruments, name, by)
    if (toldToAll.includes(name) || name.startsWith('errors.')) sums[name] = (sums[name] ?? 0) + by
  }
  if (adds.pages) instruments.add('orbweaver_pages_total', adds.pages, copyOf(adds))
}

function countSum(instruments: Instruments, name: string, by: number): void {
  if (name in outcomes) instruments.add('orbweaver_visits_total', by, outcomes[name as keyof typeof outcomes])
  else if (name === 'requests') instruments.add('orbweaver_requests_total', by)
  else if (name === 'bytes') instruments.add('orbweaver_received_bytes_total', by)
  else if (name.startsWith('errors.')) instruments.add('orbweaver_visit_errors_total', by, name.slice(7))
  else if (name.startsWith('refused.')) instruments.add('orbweaver_links_refused_total', by, name.slice(8))
}

function copyOf({ duplicates, nearDuplicates }: Sums): string {
  return duplicates ? 'duplicate' : nearDuplicates ? 'near-duplicate' : 'original'
}

/** The groups of pages that are on their way into the engines. */
class OpenGroups {
  readonly #clock: Clock
  readonly #instruments: Instruments
  /** In the order in which they began. */
  readonly #began = new Map<number, number>()

  constructor(clock: Clock, instruments: Instruments) {
    this.#clock = clock
    this.#instruments = instruments
  }

  get oldestMs(): number {
    for (const began of this.#began.values()) return this.#clock.now() - began
    return 0
  }

  hear({ group, phase }: SafeGroup): void {
    const began = this.#began.get(group)
    if (phase === 'began') this.#began.set(group, this.#clock.now())
    else this.#began.delete(group)
    if (phase === 'safe' && began !== undefined)
      this.#instruments.observe('orbweaver_safe_group_seconds', (this.#clock.now() - began) / 1000)
  }
}
