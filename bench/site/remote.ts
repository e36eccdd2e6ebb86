import { fileURLToPath } from 'node:url'
import { spawnAnnouncing } from '../../test/web/remote.ts'
import { argumentsOf, type SiteOptions } from './options.ts'
import type { Averages } from './pages.ts'
import type { Counts, HostPace } from './visits.ts'

/** What a bench site that runs alone says of itself. */
export interface SiteAnnouncement {
  readonly pid: number
  readonly seeds: readonly string[]
  /** The first host by its address, for crawlers that cannot be told a name server; null with TLS. */
  readonly addressSeed: string | null
  readonly dns: string
  readonly control: string
  /** Path of the PEM file that clients must trust; null without TLS. */
  readonly caCertificate: string | null
  readonly pages: number
  readonly hosts: number
  readonly corpus: string | null
  readonly averages: Averages
}

/** A bench site in a process of its own: it costs the caller no CPU. */
export interface RemoteSite extends SiteAnnouncement, AsyncDisposable {
  counts(): Promise<Counts>
  hostPaces(): Promise<readonly HostPace[]>
  /** CPU that the site has used so far. */
  cpuMs(): Promise<number>
  /** Begins to count anew. */
  reset(): Promise<void>
}

/** It ends with this process at the latest. `core`: the only one it may use, where `taskset` is there. */
export async function startSite(options: Partial<SiteOptions>, core?: number): Promise<RemoteSite> {
  const main = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url))
  const program = core === undefined ? [process.execPath] : ['taskset', '-c', String(core), process.execPath]
  const child = await spawnAnnouncing<SiteAnnouncement>([...program, main, '--attached'], argumentsOf(options))
  const ask = async (method: string, path: string) =>
    (await fetch(child.announcement.control + path, { method })).json()
  return {
    ...child.announcement,
    counts: () => ask('GET', '/counts') as Promise<Counts>,
    hostPaces: () => ask('GET', '/hosts') as Promise<HostPace[]>,
    cpuMs: async () => {
      const { user, system } = (await ask('GET', '/cpu')) as NodeJS.CpuUsage
      return (user + system) / 1000
    },
    reset: async () => {
      await ask('POST', '/reset')
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
