import type { WebOptions } from './options.ts'

/** About 40 hosts and 1,000 pages of every character that comes to an end without waiting for time-outs. */
export const smallWeb: WebOptions = {
  seed: 'small',
  hosts: [
    { character: 'polite', name: 'shop', count: 8, pages: 50 },
    { character: 'polite', name: 'secure', count: 3, pages: 20, https: true },
    { character: 'polite', name: 'large', pages: 250 },
    { character: 'slow', count: 1, pages: 15, gapMs: 40 },
    {
      character: 'flaky',
      count: 1,
      pages: 12,
      kinds: ['status-500', 'status-502', 'status-503', 'reset', 'half-body'],
    },
    { character: 'rate-limited', count: 2, pages: 14, burst: 6 },
    { character: 'redirecting', name: 'redirecting', pages: 6, kinds: ['routes'] },
    { character: 'redirecting', name: 'moved', kinds: ['moved'], target: 'large.test' },
    { character: 'redirecting', name: 'upgrade', pages: 10, https: true, kinds: ['upgrade'] },
    { character: 'robots-guarded', count: 5, pages: 8, gapMs: 400 },
    {
      character: 'robots-broken',
      count: 8,
      pages: 4,
      kinds: ['always-500', 'always-reset', 'heals', 'missing', 'forbidden', 'redirected', 'page-instead', 'huge'],
    },
    { character: 'robots-meta', pages: 6 },
    { character: 'canonicals', pages: 6 },
    { character: 'changing', pages: 12 },
    { character: 'duplicates', pages: 6 },
    { character: 'mirrors', name: 'mirror', count: 2, pages: 15 },
    { character: 'traps', pages: 6, kinds: ['calendar', 'loops', 'sessions'] },
    {
      character: 'hostile',
      pages: 6,
      kinds: [
        'endless-body',
        'gzip-bomb',
        'broken-gzip',
        'not-gzip',
        'length-too-long',
        'length-too-short',
        'two-lengths',
        'broken-chunks',
        'header-bomb',
        'garbage',
        'empty-reply',
        'bad-status',
        'nul-bytes',
        'deep-nesting',
        'many-links',
      ],
    },
    { character: 'tls-broken', name: 'badtls', count: 3, https: true },
    { character: 'unreachable', name: 'nowhere', count: 3, kinds: ['not-found', 'failed', 'refused'] },
    { character: 'multilingual', pages: 4 },
    { character: 'files', pages: 4 },
    { character: 'compressed', pages: 4 },
    { character: 'dead-links', pages: 8 },
  ],
}

/** A dozen friendly hosts with human text in four languages, some 400 pages: what newcomers crawl and search. */
export const demoWeb: WebOptions = {
  seed: 'demo',
  hosts: [
    { character: 'polite', name: 'orchids', topic: 'orchids', pages: 37 },
    { character: 'polite', name: 'lighthouses', topic: 'lighthouses', pages: 37 },
    { character: 'polite', name: 'telescopes', topic: 'telescopes', pages: 37, https: true },
    { character: 'polite', name: 'brot', topic: 'bread', pages: 37 },
    { character: 'polite', name: 'fromages', topic: 'cheese', pages: 37 },
    { character: 'polite', name: 'volcanes', topic: 'volcanoes', pages: 37, https: true },
    { character: 'mirrors', name: 'tea', topic: 'tea', count: 2, pages: 37 },
    { character: 'dead-links', name: 'chess-club', topic: 'chess', pages: 37 },
    { character: 'robots-guarded', name: 'owl-watch', topic: 'owls', pages: 37, kinds: ['plain'] },
    { character: 'redirecting', name: 'old-lighthouses', kinds: ['moved'], target: 'lighthouses.test' },
    { character: 'duplicates', name: 'almanac', pages: 12, language: 'en' },
  ],
}

/** Many hosts with few pages each. */
export function wideWeb(hosts: number, pages = 5): WebOptions {
  return { seed: 'wide', hosts: [{ character: 'polite', name: 'site', count: hosts, pages }] }
}

/** One host; with `weightBytes` its pages are as heavy as real ones (100 KB, some 100 links). */
export function oneBigHost(pages: number, weightBytes = 0): WebOptions {
  const heavy =
    weightBytes > 0 ? { crossLinks: 100, paragraphs: 40, ballastBytes: Math.max(0, weightBytes - 30_000) } : {}
  return { seed: 'big', hosts: [{ character: 'polite', name: 'big', pages, ...heavy }] }
}
