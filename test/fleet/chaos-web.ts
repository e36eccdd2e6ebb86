import { impatient } from '../crawl/remote-crawl.ts'
import type { WebOptions } from '../web/options.ts'

/** By default the same story every time. */
export const chaosSeed = Number(process.env.ORBWEAVER_TEST_SEED ?? '1')

/** Of many characters. */
const webWith = (shops: { readonly count: number; readonly pages: number }): WebOptions => ({
  seed: 'chaos',
  hosts: [
    { character: 'polite', name: 'shop', ...shops },
    { character: 'polite', name: 'secure', count: 2, pages: 20, https: true },
    { character: 'slow', pages: 15, gapMs: 200 },
    { character: 'mirrors', name: 'mirror', count: 3, pages: 20 },
    { character: 'duplicates', pages: 15 },
    { character: 'flaky', pages: 12, kinds: ['status-500', 'status-502', 'reset', 'half-body'] },
    { character: 'rate-limited', count: 2, pages: 12, burst: 4, gapMs: 130 },
    { character: 'robots-guarded', count: 5, pages: 4, gapMs: 1500 },
    { character: 'robots-broken', count: 3, pages: 4, kinds: ['heals', 'missing', 'always-500'] },
    { character: 'redirecting', pages: 10, kinds: ['routes'] },
    { character: 'robots-meta', pages: 10 },
    { character: 'canonicals', pages: 10 },
    { character: 'traps', pages: 6, kinds: ['calendar', 'loops', 'sessions'] },
    { character: 'files', pages: 4 },
    { character: 'compressed', pages: 4 },
    { character: 'dead-links', pages: 20 },
  ],
})

/** Some 900 pages on 40 hosts, and 500. */
export const chaosWeb = webWith({ count: 16, pages: 40 })
export const smallChaosWeb = webWith({ count: 10, pages: 25 })

/** Hosts of the dead come back soon; a page comes every tenth of a second from each host. */
export const chaosSettings: Readonly<Record<string, unknown>> = {
  ...impatient,
  'url.scope': 'domain',
  'politeness.delayMs': 100,
  'politeness.maxGapMs': 1000,
  'frontier.leaseMs': 4000,
  // A host that fails on purpose may be the last one, after faults that held everything up.
  'limits.maxWaitMs': 15_000,
}
