import { join } from 'node:path'
import { scratchFolder } from '../../test/crawl/crawl-of-web.ts'
import { startTestWeb, type TestWeb } from '../../test/web/web.ts'
import { loadConfig } from '../config/load.ts'
import { operationsIn } from '../orchestrator/adapters/embedded/folder-operations.ts'
import type { Operations } from '../orchestrator/operations.ts'
import type { Crawl } from './api/schemas/crawl.ts'
import { type Client, createClient } from './client.ts'
import { type ApiServer, openServer } from './server.ts'

/** A server over folders, with a web to crawl. */
export interface ServedWeb extends AsyncDisposable {
  readonly web: TestWeb
  readonly server: ApiServer
  readonly client: Client
  readonly operations: Operations
  /** Where its crawls are, each in a folder of its name. */
  readonly home: string
  /** What the server could not explain. */
  readonly logged: readonly string[]
  origin(host: string): string
  /** Starts a crawl of these hosts. */
  crawl(id: string, hosts: readonly string[], settings?: Record<string, unknown>): Promise<Crawl>
  /** Until the crawl has ended. */
  ended(id: string): Promise<Crawl>
}

export interface ServedWebOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly token?: string
  /** Over folders unless given. */
  readonly open?: () => Promise<Operations>
}

export async function servedWeb({ settings = {}, token, open }: ServedWebOptions = {}): Promise<ServedWeb> {
  await using stack = new AsyncDisposableStack()
  const web = stack.use(
    await startTestWeb({
      seed: 'server',
      hosts: [
        { character: 'polite', name: 'shop', pages: 30 },
        { character: 'polite', name: 'side', pages: 4 },
        { character: 'unreachable', name: 'nowhere', kinds: ['not-found'] },
      ],
    }),
  )
  const scratch = stack.use(scratchFolder())
  const home = join(scratch.path, 'home')
  const logged: string[] = []
  const operations = stack.use(open ? await open() : operationsIn(home))
  const here = { 'server.listen': '127.0.0.1:0', 'dns.servers': [web.dns] }
  const { config } = loadConfig({ overrides: { ...here, ...settings } })
  const server = stack.use(await openServer({ operations, config, log: (line) => logged.push(line) }))
  const client = createClient({ server: server.url, token })
  const usual = {
    dns: { servers: [web.dns] },
    allowPrivate: ['*'],
    worker: { threads: 0 },
    politeness: { delayMs: 5 },
  }
  const origin = (host: string) => `http://${host}.test:${web.httpPort}`
  const opened = stack.move()
  return {
    ...{ web, server, client, operations, home, logged, origin },
    crawl: (id, hosts, more = {}) =>
      client.createCrawl({
        body: { id, seeds: hosts.map((host) => `${origin(host)}/`), settings: { ...usual, ...more } },
      }),
    async ended(id) {
      for (;;) {
        const crawl = await client.getCrawl({ params: { crawl: id } })
        if (['finished', 'stopped', 'failed'].includes(crawl.state)) return crawl
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
