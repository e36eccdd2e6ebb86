import { loadConfig, type Tree } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { openCrawlFolder } from '../../embedded/crawl-folder.ts'
import { type Command, type Invocation, overridesFrom } from '../command.ts'
import { fleetOf } from '../open-crawl.ts'
import { bold } from '../terminal.ts'
import { detachFlag, finish, followed, following, followOptions, resumeFlags, runOptions } from './crawl.ts'

export const resume: Command = {
  name: 'resume',
  usage: '[options]',
  summary: 'goes on where a crawl stopped, however it stopped',
  details: `
What the crawl was started with is kept; only limits can be changed here. In a fleet (--config FILE [--crawl NAME]) or on a
server (--server URL [--crawl NAME]) it follows the crawl; a limit of time counts from now on.`,
  flags: { ...resumeFlags, ...detachFlag },
  async run(invocation) {
    if (invocation.given.server !== undefined) return onServer(invocation)
    const fleet = fleetOf(invocation)
    if (fleet) return inFleet(fleet, invocation)
    const folder = openCrawlFolder(invocation.out)
    const overrides = overridesFrom(resumeFlags, invocation.given)
    const { config } = loadConfig({ base: folder.orders.config as Tree, overrides })
    const options = runOptions(invocation)
    if (!invocation.json)
      invocation.terminal.note(bold(`Resuming the crawl of ${folder.orders.seeds.slice(0, 3).join(', ')}`))
    return finish(folder, config, options)
  },
}

async function onServer(invocation: Invocation): Promise<number> {
  const { resumeOnServer } = await import('../server-crawl.ts')
  const limits = overridesFrom(resumeFlags, invocation.given)
  const { crawl, result } = await resumeOnServer(invocation, limits, following(invocation))
  return followed(result, crawl, invocation)
}

async function inFleet(config: Config, invocation: Invocation): Promise<number> {
  const { given } = invocation
  const { resumeCrawl } = await import('../fleet-crawl.ts')
  const wanted = { name: given.crawl as string | undefined, limits: overridesFrom(resumeFlags, given) }
  const optionsFor = (crawl: string) => followOptions(invocation, crawl)
  const { crawl, result } = await resumeCrawl(config, wanted, optionsFor, given.detach !== true)
  return followed(result, crawl, invocation)
}
