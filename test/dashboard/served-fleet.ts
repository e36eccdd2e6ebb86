import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/config/load.ts'
import { createTestBucket } from '../../src/orchestrator/adapters/fleet/test-bucket.ts'
import { scratchFolder, settingsFor } from '../crawl/crawl-of-web.ts'
import { sharedEngines, withRedis } from '../fleet/fleet-of-web.ts'
import { FleetProcess } from '../fleet/fleet-process.ts'
import type { WebOptions } from '../web/options.ts'
import { startTestWeb } from '../web/web.ts'
import { openOddSite } from './odd-site.ts'
import type { ServedCrawls } from './served-folder.ts'

/** `serve` and one `worker` as processes of their own, on real engines, with a small internet to crawl. */
export async function serveFleet(options: WebOptions): Promise<ServedCrawls> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(scratchFolder())
  const web = stack.use(await startTestWeb(options))
  const odd = stack.use(await openOddSite())
  const engines = { ...sharedEngines(withRedis), 'server.listen': '127.0.0.1:0' }
  const { config, given: ofFleet } = loadConfig({ overrides: engines })
  const { given } = loadConfig({ overrides: { ...settingsFor(web, scratch.path), 'fetch.retryDelaysMs': [] } })
  await createTestBucket(config)
  const configFile = join(scratch.path, 'fleet.json')
  writeFileSync(configFile, JSON.stringify(ofFleet))
  const serve = stack.use(new FleetProcess(['serve', '--config', configFile]))
  stack.use(new FleetProcess(['worker', '--config', configFile, '--threads', '0']))
  const url = await addressOf(serve)
  const opened = stack.move()
  return { url, web, odd, settings: JSON.stringify(given), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** As it tells whoever has started it. */
async function addressOf(serve: FleetProcess): Promise<string> {
  for (;;) {
    const [address] = serve.said.match(/http:\/\/127\.0\.0\.1:\d+/) ?? []
    if (address) return address
    if (!serve.isAlive) throw new Error(serve.said)
    await sleep(50)
  }
}
