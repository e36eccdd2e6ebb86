import type { Sending } from '../fetch/fetcher.ts'
import { type Exchange, type FailureCode, type FetchOutcome, header } from '../fetch/outcome.ts'
import type { Origin } from '../url/keys.ts'
import type { RobotsConfig } from './config.ts'
import { parseRetryAfter } from './pace.ts'

import type { RobotsEntry, RobotsStore } from './robots-store.ts'
import { MAX_ROBOTS_BYTES, robotsText } from './robots-text.ts'

/**
 * Called before each request, redirects included, so that it can wait for its host's turn; answers until when it may go
 * out, and what to call when it does. `false`: the host must not be touched now (the lease is gone); the question is dropped and nothing is
 * remembered.
 */
export type BeforeTouch = (url: string) => Promise<Sending | false>

/** Asks once, following no redirects. Its body should be cut at 500 KiB and a little. */
export type FetchRobots = (url: string, sending: Sending) => Promise<FetchOutcome>

export interface RobotsAsk {
  readonly fetchRobots: FetchRobots
  readonly beforeTouch: BeforeTouch
  readonly now: () => number
  readonly config: RobotsConfig
  /** Times in a row that it was unavailable before. */
  readonly failures: number
  /** Where files of other origins are, to which this one's may lead: many hosts send us to one, which is asked once. */
  readonly store: Pick<RobotsStore, 'get' | 'put'>
}

/** Brings an origin's robots.txt. `undefined`: the question was dropped before it was answered. */
export async function fetchRobotsEntry(origin: Origin, ask: RobotsAsk): Promise<RobotsEntry | undefined> {
  let url = `${origin}/robots.txt`
  for (let redirects = 0; ; redirects++) {
    const sending = await ask.beforeTouch(url)
    if (!sending) return undefined
    // Asked only now: while we waited for our turn another may have brought it.
    const elsewhere = redirects > 0 ? originOfFile(url) : undefined
    const known = elsewhere && (await ask.store.get(elsewhere))
    if (known && known.kind !== 'unavailable' && known.expiresAt > ask.now()) return known
    const outcome = await ask.fetchRobots(url, sending)
    switch (outcome.kind) {
      case 'failed':
        return outcome.code === 'cancelled' ? undefined : unavailable(outcome.detail, outcome.code, 0, ask)
      case 'fetched': {
        const entry = entryOf(outcome.exchange, ask)
        if (elsewhere && entry.kind !== 'unavailable') await ask.store.put(elsewhere, entry)
        return entry
      }
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

/** The origin whose robots.txt this URL is; `undefined` if it is another file. */
function originOfFile(url: string): Origin | undefined {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/robots.txt' && search === '' ? (origin as Origin) : undefined
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
  return kept({ kind: 'rules', text: robotsText(body.subarray(0, MAX_ROBOTS_BYTES + 1)) }, ask)
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
