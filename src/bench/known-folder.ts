/**
 * A crawl's folder that knows many URLs before the crawl is measured. First those of the site that will be crawled, most
 * of its pages; the rest on hosts that do not exist and are held for longer than any benchmark takes, so that they are
 * queued and in memory as in any crawl, and never asked for.
 */
import type { Config } from '../config/schema.ts'
import type { CrawlFolder } from '../embedded/crawl-folder.ts'
import { openEmbedded } from '../embedded/open-embedded.ts'
import type { Candidate, Frontier, HostLease } from '../frontier/frontier.ts'
import { hostsFor, knownUrl } from './known-urls.ts'

const batchUrls = 1000
const holdMs = 30 * 24 * 3600 * 1000

export interface Knowledge {
  /** URLs of the site, all of which are queued. */
  readonly ofSite: readonly Candidate[]
  /** How many URLs the folder knows already, and how many it shall know in the end. */
  readonly from: number
  readonly to: number
}

export async function fillFolder(
  folder: CrawlFolder,
  config: Config,
  { ofSite, from, to }: Knowledge,
  onUrls: (urls: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await using ports = await openEmbedded(folder, config, {})
  const { frontier } = ports
  const offer = async (count: number, candidate: (n: number) => Candidate, before: number) => {
    for (let n = 0; n < count; n += batchUrls) {
      await frontier.offer(Array.from({ length: Math.min(batchUrls, count - n) }, (_, i) => candidate(n + i)))
      onUrls(before + n)
      // Lets the group commit and Ctrl-C come through.
      if (n % (20 * batchUrls) === 0) await new Promise(setImmediate)
      signal.throwIfAborted()
    }
  }
  if (from === 0) await offer(ofSite.length, (n) => ofSite[n]!, 0)
  const others = Math.max(from, ofSite.length)
  const hostsBefore = hostsFor(others - ofSite.length)
  const hosts = hostsFor(to - ofSite.length)
  await offer(hosts - hostsBefore, (n) => knownUrl(hostsBefore + n, hosts), others)
  await holdAll(frontier, new Set(ofSite.map(({ host }) => host)))
  // Articles are numbered by what was known before, so that none comes again in a folder that goes on growing.
  const left = to - others - (hosts - hostsBefore)
  await offer(left, (n) => knownUrl(others + hosts + n, hosts), to - left)
  await frontier.sync()
  const { admitted } = await frontier.counts()
  if (admitted !== to) throw new Error(`the folder knows ${admitted} URLs, expected ${to}`)
}

/** Holds every host that could be leased, but those that are spared. */
async function holdAll(frontier: Frontier, spared: ReadonlySet<string>): Promise<void> {
  const sparedLeases: HostLease[] = []
  for (;;) {
    const { leases } = await frontier.lease(1000, 1)
    if (leases.length === 0) break
    for (const lease of leases) {
      if (spared.has(lease.host)) sparedLeases.push(lease)
      else
        await frontier.release(lease, { touchedMsAgo: null, pace: lease.pace, hold: { ms: holdMs, reason: 'bench' } })
    }
  }
  for (const lease of sparedLeases) await frontier.release(lease, { touchedMsAgo: null, pace: lease.pace })
}
