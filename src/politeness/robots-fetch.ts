import { type Exchange, type FailureCode, type FetchOutcome, header } from '../fetch/outcome.ts'
import type { Origin } from '../url/keys.ts'
import type { RobotsConfig } from './config.ts'
import { parseRetryAfter } from './pace.ts'
import { MAX_ROBOTS_BYTES } from './robots-parse.ts'
import type { RobotsEntry } from './robots-store.ts'

/**
 * Called before each request, redirects included, so that it can wait for its host's turn. `false`: the host must not be
 * touched now (the lease is gone); the question is dropped and nothing is remembered.
 */
export type BeforeTouch = (url: string) => Promise<boolean>

export interface RobotsAsk {
  readonly fetchRobots: (url: string) => Promise<FetchOutcome>
  readonly beforeTouch: BeforeTouch
  readonly now: () => number
  readonly config: RobotsConfig
  /** Times in a row that it was unavailable before. */
  readonly failures: number
}

/** Brings an origin's robots.txt. `undefined`: the question was dropped before it was answered. */
export async function fetchRobotsEntry(origin: Origin, ask: RobotsAsk): Promise<RobotsEntry | undefined> {
  let url = `${origin}/robots.txt`
  for (let redirects = 0; ; redirects++) {
    if (!(await ask.beforeTouch(url))) return undefined
    const outcome = await ask.fetchRobots(url)
    switch (outcome.kind) {
      case 'failed':
        return outcome.code === 'cancelled' ? undefined : unavailable(outcome.detail, outcome.code, 0, ask)
      case 'fetched':
        return entryOf(outcome.exchange, ask)
      case 'redirected': {
        const target = URL.parse(outcome.location, url)
        // A redirect that leads nowhere is a missing file: RFC 9309, 2.3.1.2.
        if (redirects === ask.config.maxRedirects || !target || !/^https?:$/.test(target.protocol))
          return kept({ kind: 'none', status: outcome.exchange.status }, ask)
        target.hash = ''
        url = target.href
        break
      }
      default:
        return outcome satisfies never
    }
  }
}

function entryOf(exchange: Exchange, ask: RobotsAsk): RobotsEntry {
  const { status, body, truncated } = exchange
  if (status === 429 || status >= 500) {
    const retryAfter = header(exchange.headers, 'retry-after')
    return unavailable(`status ${status}`, null, parseRetryAfter(retryAfter ?? '', ask.now()) ?? 0, ask)
  }
  if (status < 200 || status >= 300) return kept({ kind: 'none', status }, ask)
  // A file that ended early may have lost the rule that matters; beyond the limit none would be read.
  if (truncated !== null && truncated !== 'bytes' && body.length < MAX_ROBOTS_BYTES)
    return unavailable('the file ended early', null, 0, ask)
  return kept({ kind: 'rules', text: body.toString('utf8', 0, MAX_ROBOTS_BYTES + 1) }, ask)
}

type Answered = { readonly kind: 'rules'; readonly text: string } | { readonly kind: 'none'; readonly status: number }

function kept(answer: Answered, ask: RobotsAsk): RobotsEntry {
  const fetchedAt = ask.now()
  return { ...answer, fetchedAt, expiresAt: fetchedAt + ask.config.lifetimeMs }
}

function unavailable(
  detail: string,
  code: FailureCode | null,
  askedWaitMs: number,
  { now, config, failures }: RobotsAsk,
): RobotsEntry {
  const fetchedAt = now()
  const waitMs = Math.max(config.retryMs[failures] ?? config.retryLaterMs, askedWaitMs)
  return { kind: 'unavailable', code, detail, failures: failures + 1, fetchedAt, expiresAt: fetchedAt + waitMs }
}
