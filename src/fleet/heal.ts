import type { Clock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import type { Candidate, Frontier } from '../frontier/frontier.ts'
import { Candidates, candidateRules } from '../reading/candidates.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { makeScope } from '../url/scope.ts'
import type { WidenedHosts } from '../worker/moved-seeds.ts'
import { seedCandidate } from '../worker/seeds.ts'

export interface HealParts {
  readonly frontier: Pick<Frontier, 'offer'>
  /** Records of pages fetched since the moment from which the frontier may have forgotten something. */
  readonly records: AsyncIterable<UrlRecord>
  readonly config: Config
  readonly seeds: readonly CanonicalUrl[]
  readonly widened: Pick<WidenedHosts, 'each'>
  readonly clock: Clock
}

const offersAtOnce = 500

/**
 * Offers once more what recent pages link to or name as their own URL, and the seeds: what an engine has forgotten of that is admitted again, the
 * rest is known. Answers how much was missing.
 */
export async function heal(parts: HealParts): Promise<number> {
  const { frontier, records, config, seeds, widened, clock } = parts
  const scope = makeScope({ ...config.url, seeds })
  widened.each((host) => scope.widen(host))
  const candidates = new Candidates(candidateRules(config, scope), clock)
  let missing = 0
  let batch: Candidate[] = seeds.map((url) => seedCandidate(url, config.worker.politenessKey))

  async function offer(): Promise<void> {
    const admissions = await frontier.offer(batch)
    missing += admissions.filter((admission) => admission === 'admitted').length
    batch = []
  }

  for await (const record of records) {
    batch.push(...linksOf(record, candidates, config.parse.obey.canonical))
    if (batch.length >= offersAtOnce) await offer()
  }
  await offer()
  return missing
}

/** A record does not tell by which band its page was found: what it leads to counts as ordinary links do. */
function* linksOf(
  { kind, url: parent, finalUrl, links, depth, canonical }: UrlRecord,
  candidates: Candidates,
  obeysCanonical: boolean,
): Iterable<Candidate> {
  const ownUrl = obeysCanonical && canonical !== '' ? candidates.canonical(canonical, {}) : undefined
  const named = ownUrl === undefined || ownUrl === parent ? [] : [ownUrl]
  const targets = kind === 'redirect' ? [finalUrl as CanonicalUrl] : [...(links as readonly CanonicalUrl[]), ...named]
  const origin = { parent, band: 'low', depth: kind === 'redirect' ? depth : depth + 1, redirects: 0 } as const
  for (const url of targets) {
    const verdict = candidates.judge(url)
    if (candidates.reasonAgainst(verdict, origin) === undefined) yield candidates.candidate(url, verdict, origin)
  }
}
