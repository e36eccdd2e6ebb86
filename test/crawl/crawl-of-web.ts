import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCrawl } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { CrawlReader } from '../../src/crawl-reader.ts'
import { type CrawlFolder, createCrawlFolder } from '../../src/embedded/crawl-folder.ts'
import { openReader } from '../../src/embedded/open-reader.ts'
import type { Progress } from '../../src/running-crawl.ts'
import type { EndReason } from '../../src/worker/worker.ts'
import type { TestWeb } from '../web/web.ts'

export interface EndedCrawl extends AsyncDisposable {
  readonly folder: CrawlFolder
  readonly reason: EndReason
  readonly progress: Progress
  readonly reader: CrawlReader
}

/** What a whole crawl of a test web must end with is known exactly: it asks for nothing that nobody links to. */
export const withoutProbes = { 'discovery.usualPlaces': [] }

/** Settings that a crawl of the test web needs, laid out in a scratch folder. */
export function settingsFor(web: Pick<TestWeb, 'dns' | 'caCertificate'>, scratch: string): Record<string, unknown> {
  const ca = join(scratch, 'ca.pem')
  writeFileSync(ca, web.caCertificate)
  return { 'dns.servers': [web.dns], 'fetch.caCertificates': [ca], allowPrivate: ['*'], ...withoutProbes }
}

export function scratchFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-crawl-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Crawls a test web to its end in this process, and opens the result for reading. */
export async function crawlWeb(
  web: TestWeb,
  overrides: Record<string, unknown> = {},
  seeds: readonly string[] = web.seeds,
): Promise<EndedCrawl> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.use(scratchFolder())
  const { config, given } = loadConfig({ overrides: { ...settingsFor(web, scratch.path), ...overrides } })
  const folder = createCrawlFolder(join(scratch.path, 'crawl'), seeds, given)
  const { reason, progress } = await runToEnd(folder, config)
  const reader = stack.use(await openReader(folder))
  const opened = stack.move()
  return { folder, reason, progress, reader, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function runToEnd(folder: CrawlFolder, config: Parameters<typeof openCrawl>[1]) {
  await using crawl = await openCrawl(folder, config)
  const reason = await crawl.run()
  return { reason, progress: await crawl.progress() }
}
