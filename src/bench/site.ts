import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RemoteSite, startSite } from '../../bench/site/remote.ts'
import type { SiteCounts } from './counts.ts'
import type { Mode } from './modes.ts'
import { type Pinning, pin } from './pinning.ts'

/** A site to be measured on, in a process of its own. */
export interface BenchSite extends AsyncDisposable {
  readonly seeds: readonly string[]
  /** The seeds, one a line: ten thousand are too many for a command line. */
  readonly seedFile: string
  /** The settings that reach it, as `--config` takes them. */
  readonly configFile: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly pageSource: 'corpus' | 'invented'
  /** What an average page weighs. */
  readonly averages: RemoteSite['averages']
  counts(): Promise<SiteCounts>
  /** CPU that the site has used so far. */
  cpuMs(): Promise<number>
  /** Begins to count anew. */
  reset(): Promise<void>
}

export interface SiteChoice {
  readonly corpus: string | undefined
  readonly pinning: Pinning | undefined
}

export async function openSite(
  { pages, hosts, tls, keepAlive }: Pick<Mode, 'pages' | 'hosts' | 'tls' | 'keepAlive'>,
  { corpus, pinning }: SiteChoice,
): Promise<BenchSite> {
  await using stack = new AsyncDisposableStack()
  const site = stack.use(await startSite({ pages, hosts, tls, keepAlive, corpus }))
  if (pinning) pin(site.pid, pinning.site)
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-site-'))
  stack.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const seedFile = join(scratch, 'seeds.txt')
  writeFileSync(seedFile, `${site.seeds.join('\n')}\n`)
  const settings = {
    dns: { servers: [site.dns] },
    politeness: { delayMs: 0 },
    // What is asked for beside the pages would be counted as one: the site has no sitemap, and no soft 404s.
    discovery: { usualPlaces: [], softMissing: false },
    allowPrivate: ['*'],
    ...(site.caCertificate === null ? {} : { fetch: { caCertificates: [site.caCertificate] } }),
  }
  const configFile = join(scratch, 'settings.json')
  writeFileSync(configFile, JSON.stringify(settings))
  const opened = stack.move()
  return {
    ...{ seeds: site.seeds, seedFile, configFile, settings, averages: site.averages },
    pageSource: site.corpus === null ? 'invented' : 'corpus',
    counts: () => site.counts(),
    cpuMs: () => site.cpuMs(),
    reset: () => site.reset(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
