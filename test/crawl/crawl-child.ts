import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { openCrawl } from '../../src/app.ts'
import { loadConfig, type Tree } from '../../src/config/load.ts'
import { openCrawlFolder } from '../../src/embedded/crawl-folder.ts'

/**
 * Goes on with the crawl in a folder, for tests that end it by force: loaded beforehand, it opens the folder when a line
 * comes, says `open` and the time when requests may begin, and `ended` when there is nothing left. SIGTERM stops it in order.
 */
const folder = openCrawlFolder(process.argv[2]!)
const { config } = loadConfig({ base: folder.orders.config as Tree })
const say = (word: string) => process.stdout.write(`${word}\n`)

// One that is killed would never write it.
flushCompileCache()
for await (const _go of createInterface(process.stdin)) break
{
  await using crawl = await openCrawl(folder, config)
  process.once('SIGTERM', () => crawl.drain())
  say(`open ${Date.now()}`)
  say((await crawl.run()) === 'finished' ? 'ended' : 'stopped')
}
process.stdin.destroy()
