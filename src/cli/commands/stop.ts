import { UsageError } from '../../config/usage-error.ts'
import type { Command } from '../command.ts'
import { fleetOf } from '../open-crawl.ts'

export const stop: Command = {
  name: 'stop',
  usage: '--config FILE [--crawl NAME]',
  summary: 'stops a crawl of a fleet in order; `orbweaver resume` goes on',
  details: 'A crawl on this machine is stopped by Ctrl-C where it runs.',
  flags: {},
  async run(invocation) {
    const { given, json, terminal } = invocation
    const config = fleetOf(invocation)
    if (!config)
      throw new UsageError(
        '`stop` is for fleets, whose engines the settings name (--config FILE). Stop a crawl here by Ctrl-C.',
      )
    const { changeCrawl } = await import('../fleet-crawl.ts')
    const crawl = await changeCrawl(config, given.crawl as string | undefined, 'stopping', ['running', 'paused'])
    if (json) terminal.print(JSON.stringify({ crawl, state: 'stopping' }))
    else terminal.print(`${crawl} is stopping: visits under way end, nothing is lost.`)
    return 0
  },
}
