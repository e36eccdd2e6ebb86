import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../embedded/database.ts'
import { budgetRefusal, overBudget } from '../../../url/budgets.ts'
import type { TrapConfig } from '../../../url/config.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { type BandNumber, bands } from '../../bands.ts'
import type { FrontierConfig } from '../../config.ts'
import type { Admission, Candidate } from '../../frontier.ts'
import type { HostState, Hosts } from './hosts.ts'
import type { IdQueues } from './id-queues.ts'
import { KeptCounts } from './kept-counts.ts'
import type { ReadyHosts } from './ready-hosts.ts'
import type { Seen } from './seen.ts'
import type { Totals } from './totals.ts'
import type { UrlRows } from './url-rows.ts'

export interface AdmissionsParts {
  readonly database: Database
  readonly clock: Clock
  readonly config: FrontierConfig
  readonly traps?: TrapConfig | undefined
  readonly fingerprint: (url: string) => number
  readonly rows: UrlRows
  readonly hosts: Hosts
  readonly queues: IdQueues
  readonly ready: ReadyHosts
  readonly seen: Seen
  readonly totals: Totals
}

/** Lets in what is new and within its host's budgets; what is not wanted is remembered too. */
export class Admissions {
  readonly #parts: AdmissionsParts
  readonly #counts: KeptCounts

  constructor(parts: AdmissionsParts) {
    this.#parts = parts
    this.#counts = new KeptCounts(parts.database, parts.fingerprint)
  }

  offer(candidates: readonly Candidate[]): readonly Admission[] {
    const { clock, hosts, ready } = this.#parts
    const now = clock.now()
    const touched = new Set<HostState>()
    const parents = new Map<CanonicalUrl | null, number | null>([[null, null]])
    const answers = candidates.map((candidate) => this.#admit(candidate, now, touched, parents))
    for (const host of touched) {
      hosts.changed(host)
      ready.place(host, now)
    }
    return answers
  }

  #admit(
    candidate: Candidate,
    now: number,
    touched: Set<HostState>,
    parents: Map<CanonicalUrl | null, number | null>,
  ): Admission {
    const { database, rows, hosts, queues, seen, totals } = this.#parts
    const fingerprint = this.#parts.fingerprint(candidate.url)
    if (seen.find(candidate.url, fingerprint) !== undefined) return 'known'
    const host = hosts.byKey(candidate.host)
    const refusal = candidate.refusal ?? this.#overBudget(candidate, host)
    database.write()
    const id = rows.append(candidate, host.id, this.#idOf(candidate.parent, parents), now, refusal)
    seen.add(fingerprint, id)
    touched.add(host)
    if (refusal !== null) {
      host.excluded++
      totals.excluded++
      return candidate.refusal === undefined ? 'over-budget' : 'excluded'
    }
    const band = bands.indexOf(candidate.band) as BandNumber
    host.open++
    totals.open++
    totals.byBand[band]++
    host.enqueue(id, band, queues)
    return 'admitted'
  }

  /** Seeds are wanted in any case, and their hosts are followed however many of one domain they are. */
  #overBudget({ url, parent }: Candidate, host: HostState): string | null {
    const { config, traps } = this.#parts
    if (config.maxUrlsPerHost > 0 && host.admitted >= config.maxUrlsPerHost) return 'host-budget'
    if (traps === undefined) return null
    const allowed = parent === null ? { ...traps, maxSubdomains: Number.POSITIVE_INFINITY } : traps
    const over = overBudget(url, allowed, this.#counts.of(host.id))
    return over && parent !== null ? budgetRefusal(over) : null
  }

  #idOf(url: CanonicalUrl | null, known: Map<CanonicalUrl | null, number | null>): number | null {
    const { seen, fingerprint } = this.#parts
    let id = known.get(url)
    if (id === undefined) {
      id = seen.find(url!, fingerprint(url!)) ?? null
      known.set(url, id)
    }
    return id
  }
}
