import type { Config } from './config/schema.ts'
import { trustedContext } from './fetch/http/tls-trust.ts'
import { canonicalRules } from './url/canonical.ts'
import { makeScope } from './url/scope.ts'
import { canonicalSeeds } from './worker/seeds.ts'

/** Before anything is made: throws a UsageError if a seed, a pattern or a certificate is not sound. */
export function checkOrders(seeds: readonly string[], config: Config): void {
  makeScope({ ...config.url, seeds: canonicalSeeds(seeds, canonicalRules(config.url)) })
  trustedContext(config.fetch.caCertificates)
}
