import type { Config } from '../../../config/schema.ts'
import type { CrawlReader } from '../../../crawl-reader.ts'
import type { Candidate } from '../../../frontier/frontier.ts'
import { lifeOf } from '../../../orchestrator/url-life.ts'
import { Candidates, candidateRules } from '../../../reading/candidates.ts'
import { canonicalRules, canonicalUrl } from '../../../url/canonical.ts'
import { makeScope } from '../../../url/scope.ts'
import { canonicalSeeds } from '../../../worker/seeds.ts'
import type { Desk, Handlers } from '../handler.ts'
import type { AdmissionAnswer, OfferedUrls } from '../schemas/url.ts'
import { crawlContext, urlIn } from './crawl-context.ts'

export const urlHandlers: Handlers<'offerUrls' | 'explainUrl'> = {
  async offerUrls(desk, { params, body }) {
    const { reader, config } = await crawlContext(desk, params.crawl)
    const judge = judging(reader, config, body.band, desk)
    const judged = body.urls.map(judge)
    const candidates = judged.flatMap(({ candidate }) => candidate ?? [])
    const admitted = [...(await desk.operations.crawls.offer(params.crawl, candidates))]
    const admissions = judged.map(({ answer, candidate }) =>
      candidate ? { ...answer, admission: admitted.shift()! } : answer,
    )
    return { admissions }
  },
  async explainUrl(desk, { params, query }) {
    const { reader, config } = await crawlContext(desk, params.crawl)
    const url = urlIn(config, query.url)
    const { entry, record, events } = await lifeOf(reader, config, url)
    return {
      url,
      state: entry?.state ?? 'unknown',
      entry: entry ?? null,
      hasPage: record !== undefined,
      events: [...events],
    }
  },
}

interface Judged {
  readonly answer: AdmissionAnswer
  /** To be offered, with its refusal if it has one. */
  readonly candidate?: Candidate
}

/** As links are judged, but that they are at the beginning: of no depth, and found on no page. */
function judging(reader: CrawlReader, config: Config, band: OfferedUrls['band'], { clock }: Pick<Desk, 'clock'>) {
  const rules = canonicalRules(config.url)
  const scope = makeScope({ ...config.url, seeds: canonicalSeeds(reader.orders.seeds, rules) })
  reader.widened.each((host) => scope.widen(host))
  const candidates = new Candidates(candidateRules(config, scope), clock)
  const origin = { parent: null, band, depth: 0, redirects: 0 }
  return (given: string): Judged => {
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
    const { url, refusal } = canonicalUrl(whole, undefined, rules)
    if (!url) return { answer: { given, url: null, admission: 'refused', reason: refusal ?? 'not-a-url' } }
    const verdict = candidates.judge(url)
    const reason = candidates.reasonAgainst(verdict, origin)
    if (reason) return { answer: { given, url, admission: 'refused', reason } }
    const candidate = candidates.candidate(url, verdict, origin)
    return { answer: { given, url, admission: 'admitted', reason: candidate.refusal ?? null }, candidate }
  }
}
