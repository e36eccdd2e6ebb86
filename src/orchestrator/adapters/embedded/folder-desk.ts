import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkOrders } from '../../../check-orders.ts'
import { loadConfig } from '../../../config/load.ts'
import { createCrawlFolder, openCrawlFolder } from '../../../embedded/crawl-folder.ts'
import { newCrawlName } from '../../../fleet/crawl-name.ts'
import { withoutEngines } from '../../../fleet/crawl-orders.ts'
import type { HostDecisions } from '../../../politeness/host-decisions.ts'
import type { NewCrawl } from '../../../server/api/schemas/crawl.ts'
import type { CrawlDesk } from '../../operations.ts'
import { noSuchCrawl, Refusal } from '../../refusal.ts'
import { CrawlSite } from './crawl-site.ts'

export interface FolderDesk extends CrawlDesk, AsyncDisposable {
  readonly sites: Iterable<CrawlSite>
}

/**
 * Crawls in folders of this machine, of which one runs at a time: they know nothing of each other, and two of them could
 * together touch a host harder than it was promised.
 */
export function folderDesk(
  first: readonly CrawlSite[],
  home: string | undefined,
  decisions: HostDecisions,
): FolderDesk {
  const sites = new Map(first.map((site) => [site.id, site]))
  /** Starts follow each other: each must see the one before. */
  let lastStart: Promise<unknown> = Promise.resolve()

  if (home !== undefined) for (const site of sitesIn(home, decisions)) sites.set(site.id, site)

  function siteOf(id: string): CrawlSite {
    const site = sites.get(id)
    if (!site) throw noSuchCrawl(id)
    return site
  }

  function alone(start: () => Promise<void>): Promise<void> {
    const started = lastStart.then(start)
    // Whoever asked for it hears of its failure.
    lastStart = started.catch(() => {})
    return started
  }

  async function startAlone(site: CrawlSite): Promise<void> {
    const other = [...sites.values()].find(({ isRunningHere }) => isRunningHere)
    if (other === site) return
    if (other)
      throw new Refusal('conflict', `${other.id} runs, and one machine runs one crawl at a time: stop it first.`)
    await site.start()
  }

  async function create({ id, seeds, settings }: NewCrawl): Promise<string> {
    if (home === undefined)
      throw new Refusal(
        'conflict',
        'This server shows one crawl. Start another by `orbweaver crawl`, or serve a folder for many: `orbweaver serve --out DIR`.',
      )
    const { config, given } = loadConfig({ base: withoutEngines(settings) })
    checkOrders(seeds, config)
    const name = id ?? newCrawlName(seeds, new Date())
    await alone(async () => {
      if (sites.has(name) || existsSync(join(home, name)))
        throw new Refusal('conflict', `There is a crawl "${name}" already: choose another name.`)
      const running = [...sites.values()].find(({ isRunningHere }) => isRunningHere)
      if (running)
        throw new Refusal('conflict', `${running.id} runs, and one machine runs one crawl at a time: stop it first.`)
      const site = new CrawlSite(createCrawlFolder(join(home, name), seeds, given), decisions)
      sites.set(name, site)
      await site.start()
    })
    return name
  }

  return {
    sites: { [Symbol.iterator]: () => sites.values() },
    async list(limit) {
      const all = await Promise.all([...sites.values()].map((site) => site.summary()))
      return all.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit)
    },
    get: async (id) => siteOf(id).summary(),
    create,
    pause: async (id) => siteOf(id).pause(),
    async resume(id) {
      const site = siteOf(id)
      await alone(async () => {
        if (!site.goOn()) await startAlone(site)
      })
    },
    stop: async (id) => siteOf(id).stop(),
    change: async (id, changes) => siteOf(id).change(changes),
    async remove(id) {
      await siteOf(id).remove()
      sites.delete(id)
    },
    read: async (id) => siteOf(id).read(),
    offer: async (id, candidates) => siteOf(id).offer(candidates),
    retryDead: async (id, filter) => siteOf(id).correctDead('retryDead', filter),
    dropDead: async (id, filter) => siteOf(id).correctDead('dropDead', filter),
    async reindex(id) {
      siteOf(id)
      throw new Refusal(
        'conflict',
        'A crawl in a folder is indexed together with its pages: there is nothing to build anew.',
      )
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sites.values()].map((site) => site[Symbol.asyncDispose]()))
    },
  }
}

function* sitesIn(home: string, decisions: HostDecisions): Iterable<CrawlSite> {
  if (!existsSync(home)) return
  for (const entry of readdirSync(home, { withFileTypes: true })) {
    const path = join(home, entry.name)
    if (entry.isDirectory() && existsSync(join(path, 'crawl.json')))
      yield new CrawlSite(openCrawlFolder(path), decisions)
  }
}
