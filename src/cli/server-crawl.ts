import type { Tree } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import type { CrawlChanges } from '../server/api/schemas/crawl.ts'
import type { Client } from '../server/client.ts'
import type { Invocation } from './command.ts'
import { followCrawl, type Standing } from './follow-crawl.ts'
import type { RunOptions, RunResult } from './run-crawl.ts'
import { clientOf, crawlOn } from './server-client.ts'
import { bold } from './terminal.ts'

/** How a crawl of a server is told of, once its name is known. */
export interface Following {
  readonly optionsFor: (crawl: string) => RunOptions
  readonly follow: boolean
}

export interface Followed {
  readonly crawl: string
  /** `null`: it goes on, and nobody looks. */
  readonly result: RunResult | null
}

/** Gives a crawl to the server, and follows it unless told otherwise. */
export async function submitToServer(
  invocation: Invocation,
  orders: { readonly seeds: readonly string[]; readonly settings: Tree },
  following: Following,
): Promise<Followed> {
  const client = clientOf(invocation)!
  const { seeds, settings } = orders
  const id = invocation.given.crawl as string | undefined
  const { id: crawl } = await client.createCrawl({ body: { ...(id && { id }), seeds: [...seeds], settings } })
  return followed(client, crawl, `The server crawls it as ${crawl}`, following)
}

/** Goes on with a crawl of the server, by other limits where some are given. */
export async function resumeOnServer(
  invocation: Invocation,
  limits: Readonly<Record<string, unknown>>,
  following: Following,
): Promise<Followed> {
  const client = clientOf(invocation)!
  const crawl = await crawlOn(client, invocation)
  const changes = changesOf(limits)
  if (Object.keys(changes).length > 0) await client.changeCrawl({ params: { crawl }, body: changes })
  await client.resumeCrawl({ params: { crawl } })
  return followed(client, crawl, `The server goes on with ${crawl}`, following)
}

/** Settings that a server lets be changed, by their names there. */
const changeable: Readonly<Record<string, keyof CrawlChanges>> = {
  'limits.maxPages': 'maxPages',
  'limits.maxDurationMs': 'maxDurationMs',
}

function changesOf(limits: Readonly<Record<string, unknown>>): CrawlChanges {
  return Object.fromEntries(
    Object.entries(limits).map(([setting, value]) => {
      const name = changeable[setting]
      if (!name) throw new UsageError(`A server lets only --max-pages and --max-duration be changed, not ${setting}.`)
      return [name, value]
    }),
  )
}

async function followed(client: Client, crawl: string, says: string, following: Following): Promise<Followed> {
  const options = following.optionsFor(crawl)
  if (!options.json) options.terminal.note(bold(says))
  if (!following.follow) return { crawl, result: null }
  return { crawl, result: await followCrawl(() => standingOf(client, crawl), options) }
}

async function standingOf(client: Client, crawl: string): Promise<Standing> {
  const { state, detail, tally, counts, openHosts, outlook, limits } = await client.getCrawl({ params: { crawl } })
  return { state, detail, progress: { tally, counts, openHosts, waitingMs: null, outlook }, maxPages: limits.maxPages }
}
