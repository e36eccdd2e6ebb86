import { checkOrders } from '../../../check-orders.ts'
import type { Clock } from '../../../clock.ts'
import { loadConfig } from '../../../config/load.ts'
import type { Config } from '../../../config/schema.ts'
import { header } from '../../../fetch/outcome.ts'
import { withoutEngines } from '../../../fleet/crawl-orders.ts'
import { Refusal } from '../../../orchestrator/refusal.ts'
import { parsePage } from '../../../parse/parse-page.ts'
import { parseRobots, ROBOTS_TOKEN, verdict as robotsVerdict } from '../../../politeness/robots.ts'
import { openPageReader } from '../../../reading/open-page-reader.ts'
import { canonicalRules, canonicalUrl } from '../../../url/canonical.ts'
import { type CanonicalUrl, originOf } from '../../../url/keys.ts'
import { makeScope } from '../../../url/scope.ts'
import { trapIn } from '../../../url/traps.ts'
import { canonicalSeeds } from '../../../worker/seeds.ts'
import type { ScopePreview, ScopeQuestion } from '../schemas/scope-preview.ts'

const mostLinks = 1000
const patienceMs = 20_000
const robotsBytes = 512 * 1024

/**
 * Fetches a page as a crawl with these orders would, and judges its links by them. Names are looked up as this server does,
 * where the orders say nothing of it.
 */
export async function judgeLinks(question: ScopeQuestion, clock: Clock, dns: Config['dns']): Promise<ScopePreview> {
  const { config } = loadConfig({ base: { dns, ...withoutEngines(question.settings) } })
  const seedTexts = question.seeds.length > 0 ? question.seeds : [question.page]
  checkOrders(seedTexts, config)
  const rules = canonicalRules(config.url)
  const seeds = canonicalSeeds(seedTexts, rules)
  const [page] = canonicalSeeds([question.page], rules) as [CanonicalUrl]
  const { status, title, links } = await linksOf(page, seeds, config, clock)
  const scope = makeScope({ ...config.url, seeds })
  const judged = [...new Set(links)].slice(0, mostLinks).map((text) => {
    const { url, refusal } = canonicalUrl(text, page, rules)
    if (!url) return { url: text.slice(0, 8192), taken: false, reason: refusal ?? 'not-a-url', detail: null }
    const verdict = scope.judge(url)
    if (verdict) return { url, taken: false, ...verdict }
    const trap = trapIn(url, clock.now(), config.url.traps)
    return { url, taken: trap === undefined, reason: trap ?? null, detail: trap ? 'a rule against traps' : null }
  })
  const refused: Record<string, number> = {}
  for (const { reason } of judged) if (reason !== null) refused[reason] = (refused[reason] ?? 0) + 1
  return { page, status, title, taken: judged.filter(({ taken }) => taken).length, refused, links: judged }
}

/** Private addresses are reached only where a crawl would reach them: named as a seed, or allowed by the settings. */
async function linksOf(page: CanonicalUrl, seeds: readonly CanonicalUrl[], config: Config, clock: Clock) {
  const orders = { config, seeds, wholePages: false, maxHeldBytes: config.fetch.maxHeldBytes }
  await using reader = openPageReader(orders, clock, AbortSignal.timeout(patienceMs))
  const robots = await reader.fetch(`${originOf(page)}/robots.txt` as CanonicalUrl, { cutAtBytes: robotsBytes })
  if (robots.kind === 'failed') throw unread(page, `robots.txt cannot be had (${robots.code})`)
  const { status: robotsStatus, body } = robots.exchange
  if (robotsStatus >= 500 || robotsStatus === 429) throw unread(page, `robots.txt answers ${robotsStatus}`)
  if (robotsStatus === 200 && !robotsVerdict(parseRobots(body), ROBOTS_TOKEN, page).allowed)
    throw unread(page, 'robots.txt does not allow it')
  const outcome = await reader.fetch(page)
  if (outcome.kind === 'failed') throw unread(page, outcome.code)
  const { exchange } = outcome
  if (outcome.kind === 'redirected') return { status: exchange.status, title: '', links: [outcome.location] }
  const parsed = parsePage(exchange.body, {
    url: page,
    contentType: header(exchange.headers, 'content-type') ?? '',
    config: config.parse,
  })
  return { status: exchange.status, title: parsed.title, links: parsed.links.map(({ url }) => url) }
}

const unread = (page: string, why: string) => new Refusal('invalid', `${page} cannot be read: ${why}.`)
