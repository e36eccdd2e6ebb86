import { UsageError } from '../../config/usage-error.ts'
import type { Command, Invocation } from '../command.ts'
import { fleetOf } from '../open-crawl.ts'

export const stop: Command = {
  name: 'stop',
  usage: '--config FILE | --server URL [--crawl NAME]',
  summary: 'stops a crawl of a fleet in order; `orbweaver resume` goes on',
  details: 'A crawl on this machine is stopped by Ctrl-C where it runs.',
  flags: {},
  async run(invocation) {
    const { given } = invocation
    if (given.server !== undefined) return stopOnServer(invocation)
    const config = fleetOf(invocation)
    if (!config)
      throw new UsageError(
        '`stop` is for fleets, whose engines the settings name (--config FILE), and servers (--server URL). Stop a crawl here by Ctrl-C.',
      )
    const { stopCrawl } = await import('../fleet-crawl.ts')
    return tell(await stopCrawl(config, given.crawl as string | undefined), invocation)
  },
}

async function stopOnServer(invocation: Invocation): Promise<number> {
  const { clientOf, crawlOn } = await import('../server-client.ts')
  const client = clientOf(invocation)!
  const crawl = await crawlOn(client, invocation)
  await client.stopCrawl({ params: { crawl } })
  return tell(crawl, invocation)
}

function tell(crawl: string, { json, terminal }: Invocation): number {
  if (json) terminal.print(JSON.stringify({ crawl, state: 'stopping' }))
  else terminal.print(`${crawl} is stopping: visits under way end, nothing is lost.`)
  return 0
}
