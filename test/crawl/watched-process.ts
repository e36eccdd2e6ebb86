import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { WebOptions } from '../web/options.ts'
import { scratchFolder } from './crawl-of-web.ts'
import { folderFor, startWeb } from './remote-crawl.ts'
import type { Watched } from './watched-crawl.ts'

const script = fileURLToPath(new URL('./watched-crawl.ts', import.meta.url))

/** Crawls a web, both in processes of their own, until all pages of its good hosts are there. */
export async function watchGoodHosts(
  web: WebOptions,
  goodPages: number,
  settings: Readonly<Record<string, unknown>>,
): Promise<Watched> {
  await using running = await startWeb(web)
  using scratch = scratchFolder()
  const folder = folderFor(running, scratch.path, settings)
  const child = spawn(process.execPath, [script, folder.path, String(goodPages), '--until-good'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const said = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`the crawl ended with ${code}`)
  return JSON.parse(said) as Watched
}
