import { type CanonicalUrl, hostOf } from '../url/keys.ts'
import type { Scope } from '../url/scope.ts'

/** Hosts that a crawl has taken into its scope since it began: known to all who work on it, and when it is resumed. */
export interface WidenedHosts {
  /** Calls `widen` for each host there is, and for each that is added later, here or elsewhere. */
  each(widen: (host: string) => void): void
  /** Resolves when it is safe. */
  add(host: string): Promise<void>
}

/**
 * A seed that redirects to another host (`example.com` → `www.example.com`) means that host: the scope takes it in.
 * Answers what to do with such a target.
 */
export function followMovedSeeds(scope: Scope, widened: WidenedHosts): (target: CanonicalUrl) => Promise<void> {
  return async (target) => {
    if (scope.judge(target)?.reason === 'out-of-scope') await widened.add(hostOf(target))
  }
}
