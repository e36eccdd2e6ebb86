import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalUrl } from './canonical.ts'
import type { Expected } from './expected.ts'
import { type Got, get } from './get.ts'
import type { TestWeb } from './web.ts'

/**
 * Follows every link from the seeds, one request at a time for each host, and answers what came for each URL. It knows
 * from the expected set what to leave alone: it proves that the set can be reached, not how to crawl.
 */
export async function naiveCrawl(web: TestWeb, expected: Expected): Promise<Map<string, Got>> {
  const avoided = new Set([...expected.excluded.keys(), ...expected.hostile.keys(), ...expected.failures.keys()])
  const traps = [...expected.traps.keys()]
  const results = new Map<string, Got>()
  const seen = new Set<string>()
  const queues = new Map<string, string[]>()

  function offer(url: string): void {
    const canonical = canonicalUrl(url)
    if (seen.has(canonical) || avoided.has(canonical) || traps.some((prefix) => canonical.startsWith(prefix))) return
    seen.add(canonical)
    const { origin } = new URL(canonical)
    const queue = queues.get(origin)
    if (queue) queue.push(canonical)
    else queues.set(origin, [canonical])
  }

  async function drain(queue: string[]): Promise<void> {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const got = await patientGet(web, url)
      results.set(url, got)
      for (const link of linksOf(url, got)) offer(link)
    }
  }

  for (const url of web.seeds) offer(url)
  while ([...queues.values()].some((queue) => queue.length > 0)) await Promise.all([...queues.values()].map(drain))
  return results
}

async function patientGet(web: TestWeb, url: string): Promise<Got> {
  let failure: unknown
  for (let attempt = 0; attempt < 4; attempt++) {
    try {
      const got = await get(web, url, { 'accept-encoding': 'gzip' })
      if (got.status !== 429 && got.status < 500) return got
      failure = new Error(`${url} answered ${got.status}`)
      await sleep(Number(got.headers['retry-after'] ?? 0) * 1000)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

export function linksOf(url: string, { status, headers, body }: Got): string[] {
  if (headers.location !== undefined) return [new URL(headers.location, url).href]
  if (status !== 200 || !headers['content-type']?.startsWith('text/html')) return []
  const html = headers['content-type'].includes('utf-16') ? '' : body.toString('latin1')
  if (/name="?robots"? content="(nofollow|none)"/i.test(html) || headers['x-robots-tag'] === 'nofollow') return []
  const base = /<base href="([^"]*)"/.exec(html)?.[1] ?? ''
  const links = [...html.matchAll(/<a href="([^"]*)"(?: rel="([^"]*)")?/g)]
    .filter(([, , rel = '']) => !/nofollow/i.test(rel))
    .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), new URL(base, url)).href)
  const canonical = new URL(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? '', url)
  return canonical.origin === new URL(url).origin ? [...links, canonical.href] : links
}
