import { UsageError } from '../../config/usage-error.ts'

/** Values of a partition stand in paths: nothing in them may need escaping. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

export function checkCrawlName(name: string): void {
  if (!NAME.test(name))
    throw new UsageError(
      `"${name}" cannot name a crawl in a warehouse: use up to 100 letters, digits, ".", "_" and "-", a letter or digit first.`,
    )
}

/**
 * A name for a crawl that was given none: the host of its first seed and the moment of its start. It is the same at every
 * export, and no other crawl's.
 */
export function ownName(seeds: readonly string[], createdAt: string): string {
  const host = (URL.parse(seeds[0] ?? '')?.hostname ?? '').replaceAll(/[^A-Za-z0-9.-]/g, '').slice(0, 60)
  const start = createdAt.replaceAll(/[^0-9TZ]/g, '')
  return `${/^[A-Za-z0-9]/.test(host) ? host : 'crawl'}-${start}`
}
