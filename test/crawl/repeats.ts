import { canonicalUrl } from '../web/canonical.ts'
import type { LogEntry } from '../web/log.ts'

/** A URL that the server was asked for again. */
export interface Repeat {
  readonly url: string
  /** From the first of the two requests to the kill that explains the second; `null`: none lies between them. */
  readonly lostMs: number | null
}

/** What was asked for more than once. `killedAt`: wall time, rising. */
export function repeatsIn(log: readonly LogEntry[], killedAt: readonly number[]): Repeat[] {
  const lastAsked = new Map<string, number>()
  const repeats: Repeat[] = []
  for (const { url: asked, wallMs } of log) {
    const url = canonicalUrl(asked)
    const before = lastAsked.get(url)
    lastAsked.set(url, wallMs)
    if (before === undefined) continue
    const kill = killedAt.find((at) => at >= before)
    repeats.push({ url, lostMs: kill !== undefined && kill <= wallMs ? kill - before : null })
  }
  return repeats
}
