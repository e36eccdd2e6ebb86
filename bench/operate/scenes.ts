/** What is looked at: a crawl under way, and the server that shows it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngines, stopEngines } from '../../scripts/engines/start-engines.ts'
import { Program } from '../fleet/processes.ts'
import type { RemoteSite } from '../site/remote.ts'

export interface Scene extends AsyncDisposable {
  readonly server: string
  readonly crawl: string
  /** Whose CPU time the pages cost, and whose the looking. */
  readonly crawler: Program
  readonly api: Program
  /** Rejects when one of them ends. */
  readonly untimelyEnd: Promise<never>
}

export interface SceneOptions {
  readonly site: RemoteSite
  readonly crawlerCores: string | undefined
  readonly delay: string
  /** Flags for the runtime of the process whose API is asked, such as those of the profiler. */
  readonly nodeFlags: readonly string[]
}

const crawl = 'looked-at'
/** The load comes from one address. */
const generous = { server: { listen: '127.0.0.1:0', requestsPerSecond: 2000 } }
const address = /http:\/\/127\.0\.0\.1:\d+/

const settingsOf = (site: RemoteSite) => ({
  ...{ dns: { servers: [site.dns] }, allowPrivate: ['*'], worker: { threads: 0 } },
  discovery: { usualPlaces: [], softMissing: false },
  ...generous,
})

/** `crawl --dashboard`: one process does everything. */
export async function laptop({ site, crawlerCores, delay, nodeFlags }: SceneOptions): Promise<Scene> {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-operate-'))
  const config = writeConfig(scratch, settingsOf(site))
  const args = ['crawl', ...site.seeds, '--config', config, '--out', join(scratch, crawl), '--delay', delay]
  const program = new Program([...args, '--dashboard'], nodeFlags, crawlerCores)
  const server = await program.saying(address)
  return {
    ...{ server, crawl, crawler: program, api: program, untimelyEnd: program.untimelyEnd() },
    async [Symbol.asyncDispose]() {
      await (nodeFlags.length > 0 ? program.leave() : program[Symbol.asyncDispose]())
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

/** A worker, and the server apart from it. Engines are the bench's own: they run where it runs. */
export async function fleet({ site, crawlerCores, delay, nodeFlags }: SceneOptions): Promise<Scene> {
  await using stack = new AsyncDisposableStack()
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-operate-'))
  stack.defer(() => rmSync(scratch, { recursive: true, force: true }))
  const engines = await startEngines(['redis', 'opensearch'], (line) => console.error(line), {})
  stack.defer(() => stopEngines(engines))
  const [redis, search] = engines.map((start) => {
    if (start.kind === 'missing') throw new Error(start.reason)
    return start.url
  })
  const config = writeConfig(scratch, {
    ...settingsOf(site),
    engines: { redis: { url: redis }, opensearch: { urls: [search], replicas: 0 } },
    store: { archive: false },
  })
  const api = stack.use(new Program(['serve', '--config', config], nodeFlags))
  const crawler = stack.use(new Program(['worker', '--config', config], [], crawlerCores))
  const server = await api.saying(address)
  const order = ['crawl', ...site.seeds, '--config', config, '--delay', delay, '--crawl', crawl, '--detach']
  await using submitted = new Program(order)
  await submitted.result()
  const untimelyEnd = Promise.race([api, crawler].map((program) => program.untimelyEnd()))
  if (nodeFlags.length > 0) stack.defer(() => api.leave())
  const opened = stack.move()
  return { server, crawl, crawler, api, untimelyEnd, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function writeConfig(scratch: string, settings: object): string {
  const path = join(scratch, 'settings.json')
  writeFileSync(path, JSON.stringify(settings))
  return path
}
