import { canonicalUrl } from '../web/canonical.ts'
import type { LogEntry } from '../web/log.ts'

/** A URL that the servers were asked for again, by wall time. */
export interface Repeat {
  readonly url: string
  readonly firstAt: number
  readonly againAt: number
}

/** Something that may cost a fleet visits that were under way: a kill, or a fault of the engine that holds the leases. */
export interface Cause {
  readonly from: number
  readonly until: number
}

/** Hosts that make an honest crawler come again. */
const asksAgain = /^(flaky|rate-limited|robots-broken)/

export function repeatsIn(log: readonly LogEntry[]): Repeat[] {
  const last = new Map<string, number>()
  const repeats: Repeat[] = []
  for (const { url: asked, wallMs, host } of log) {
    if (asksAgain.test(host)) continue
    const url = canonicalUrl(asked)
    const firstAt = last.get(url)
    last.set(url, wallMs)
    if (firstAt !== undefined) repeats.push({ url, firstAt, againAt: wallMs })
  }
  return repeats
}

/** Repeats between whose two requests nothing happened that explains them. */
export function causelessIn(repeats: readonly Repeat[], causes: readonly Cause[]): Repeat[] {
  return repeats.filter(
    ({ firstAt, againAt }) => !causes.some(({ from, until }) => until >= firstAt && from <= againAt),
  )
}
