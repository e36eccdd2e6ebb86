import { existsSync, mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { FolderCrawl } from '../../../app.ts'
import { type CrawlFolder, openCrawlFolder, refuseFile } from '../../../embedded/crawl-folder.ts'
import { openHostDecisions } from '../../../embedded/host-decisions.ts'
import type { HostDecisions } from '../../../politeness/host-decisions.ts'
import { version } from '../../../version.ts'
import type { CrawlCounters, Operations, WorkerCounters } from '../../operations.ts'
import { CrawlSite } from './crawl-site.ts'
import { type FolderDesk, folderDesk } from './folder-desk.ts'

export interface FolderOperationsOptions {
  /** How long the oldest page that was kept waits to be safe. */
  readonly storageLagMs?: () => number
}

/** Over a crawl that runs in this process, begun and ended by the caller. */
export function operationsOver(
  folder: CrawlFolder,
  crawl: FolderCrawl,
  decisions: HostDecisions,
  options: FolderOperationsOptions = {},
): Operations {
  const site = new CrawlSite(folder, decisions)
  site.adopt(crawl)
  return operations(folderDesk([site], undefined, decisions), decisions, options)
}

/** Over a folder: the crawl in it; or, where there is none, as many as are started, each in a folder inside. */
export function operationsIn(path: string, options: FolderOperationsOptions = {}): Operations {
  const hasCrawl = existsSync(join(path, 'crawl.json'))
  refuseFile(path)
  if (!hasCrawl) mkdirSync(path, { recursive: true })
  const decisions = openHostDecisions(path)
  const sites = hasCrawl ? [new CrawlSite(openCrawlFolder(path), decisions)] : []
  return operations(folderDesk(sites, hasCrawl ? undefined : path, decisions), decisions, options)
}

function operations(desk: FolderDesk, hosts: HostDecisions, options: FolderOperationsOptions): Operations {
  const startedAt = Date.now()
  return {
    kind: 'folder',
    crawls: desk,
    hosts,
    async counters() {
      const all = await Promise.all([...desk.sites].map((site) => site.counters()))
      const crawls = all.filter((crawl) => crawl !== undefined)
      return { crawls, workers: [thisProcess(crawls, startedAt, options)] }
    },
    async checks() {
      return [{ what: 'folder', ok: true, says: 'can be read' }]
    },
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  }
}

function thisProcess(
  crawls: readonly CrawlCounters[],
  startedAt: number,
  { storageLagMs }: FolderOperationsOptions,
): WorkerCounters {
  const { user, system } = process.cpuUsage()
  const sum = (read: (crawl: CrawlCounters) => number) => crawls.reduce((total, crawl) => total + read(crawl), 0)
  return {
    ...{ id: `${hostname().slice(0, 30)}-${process.pid}`, role: 'all', host: hostname(), pid: process.pid },
    ...{ region: 'default', version, startedAt, alive: true, silentMs: 0, crawls: crawls.map(({ id }) => id) },
    openHosts: sum(({ openHosts }) => openHosts),
    pages: sum(({ tally }) => tally.pages),
    cpuMs: Math.round((user + system) / 1000),
    rssBytes: process.memoryUsage.rss(),
    receivedBytes: sum(({ tally }) => tally.bytes),
    storageLagMs: storageLagMs?.() ?? null,
  }
}
