import { hrefTo } from '../data/route.ts'
import { safeHref } from '../data/safe-link.ts'

/** A URL of the crawl; leads to its life. */
export function CrawledUrl({ crawl, url }: { crawl: string | undefined; url: string }) {
  return <a href={hrefTo('/url', { crawl, url })}>{url}</a>
}

/** Leads out of the dashboard to the page itself, and tells it nothing about us. */
export function Outside({ url, children }: { url: string; children: string }) {
  const href = safeHref(url)
  if (href === undefined) return <span class="soft">{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow">
      {children} <span aria-hidden="true">↗</span>
    </a>
  )
}
