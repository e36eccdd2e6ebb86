import type { Origin } from '../url/keys.ts'
import type { DiscoveryConfig } from './config.ts'

/** A host that names more than this is not believed. */
const MAX_NAMED = 500

/**
 * Where an origin's sitemaps may be: those that its robots.txt names (as written there), or the usual places of an origin
 * that the crawl was started for.
 */
export function sitemapPlaces(
  origin: Origin,
  named: readonly string[],
  isOfSeed: boolean,
  { sitemaps, usualPlaces }: Pick<DiscoveryConfig, 'sitemaps' | 'usualPlaces'>,
): readonly string[] {
  if (!sitemaps) return []
  const found = named.slice(0, MAX_NAMED).map((place) => URL.parse(place, `${origin}/robots.txt`)?.href ?? '')
  const readable = [...new Set(found)].filter((place) => /^https?:\/\//.test(place))
  return readable.length > 0 || !isOfSeed ? readable : usualPlaces.map((path) => origin + path)
}
