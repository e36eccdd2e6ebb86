import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { operationsIn } from '../../src/orchestrator/adapters/embedded/folder-operations.ts'
import { openServer } from '../../src/server/server.ts'
import { scratchFolder, settingsFor } from '../crawl/crawl-of-web.ts'
import type { WebOptions } from '../web/options.ts'
import { startTestWeb, type TestWeb } from '../web/web.ts'
import { type OddSite, openOddSite } from './odd-site.ts'

/** A server with crawls to start, and something to crawl. */
export interface ServedCrawls extends AsyncDisposable {
  readonly url: string
  readonly web: TestWeb
  readonly odd: OddSite
  /** Settings, as JSON for the form, with which a crawl reaches the test web. */
  readonly settings: string
}

/** The real server over an empty folder, with a small internet to crawl. */
export async function serveFolder(options: WebOptions, overrides: Record<string, unknown> = {}): Promise<ServedCrawls> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(scratchFolder())
  const web = stack.use(await startTestWeb(options))
  const odd = stack.use(await openOddSite())
  const operations = stack.use(operationsIn(join(scratch.path, 'crawls')))
  const { config } = loadConfig({ overrides: { 'server.listen': '127.0.0.1:0', ...overrides } })
  const server = stack.use(await openServer({ operations, config, log: (line) => console.error(line) }))
  const { given } = loadConfig({ overrides: { ...settingsFor(web, scratch.path), 'fetch.retryDelaysMs': [] } })
  const opened = stack.move()
  return {
    url: server.url,
    web,
    odd,
    settings: JSON.stringify(given),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
