/**
 * What looking costs a crawl: the bench site is crawled while, in turn, nobody looks, and 1,000 viewers follow the live
 * events and 200 requests a second are asked of the API. The crawler has a core of its own; server, site, engines and
 * those who look share the others, as they would be on other machines. Fails when requests are not answered.
 *
 *   node bench/operate/run.ts [--scene fleet|laptop] [--delay 0] [--hosts 100] [--pages 60000]
 *                             [--windows 4] [--seconds 15] [--viewers 1000] [--requests 200] [--profile DIR] [--json]
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findPinning, pin } from '../../src/bench/pinning.ts'
import { type RemoteSite, startSite } from '../site/remote.ts'
import { type LoadProcess, type LoadReport, startLoad } from './load-process.ts'
import { fleet, laptop, type Scene } from './scenes.ts'
import { compared, coreTimes, turns, type Window } from './windows.ts'

const { values } = parseArgs({
  options: {
    scene: { type: 'string', default: 'fleet' },
    delay: { type: 'string', default: '0' },
    hosts: { type: 'string', default: '100' },
    pages: { type: 'string', default: '60000' },
    windows: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '15' },
    viewers: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '200' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const pinning = findPinning()
/** A crawl that has just begun is slower, and so is one whose viewers are just coming. */
const warmUpMs = 10_000
const settleMs = 3000

// All that is started from here on inherits it.
if (pinning) pin(process.pid, pinning.site)
await using site = await startSite({ hosts: Number(values.hosts), pages: Number(values.pages) })
const nodeFlags = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
const open = { fleet, laptop }[values.scene]
if (!open) throw new RangeError(`--scene takes fleet or laptop, not ${values.scene}`)
await using scene = await open({ site, crawlerCores: pinning?.crawler, delay: values.delay, nodeFlags })
await using load = startLoad({
  ...{ server: scene.server, crawl: scene.crawl, urls: site.seeds },
  ...{ viewers: Number(values.viewers), requests: Number(values.requests) },
})
const { windows, reports } = await Promise.race([scene.untimelyEnd, measure(scene, site, load)])
const summary = {
  ...{ scene: values.scene, delay: values.delay, hosts: site.hosts, windows },
  pagesPerSecond: compared(windows, 'pagesPerSecond'),
  crawlerCpuMsOfPage: compared(windows, 'crawlerCpuMsOfPage'),
  apiShare: compared(windows, 'apiShare'),
  othersBusy: compared(windows, 'othersBusy'),
  load: reports,
}
console.log(values.json ? JSON.stringify(summary) : summary)
if (reports.some(({ statuses, lost }) => lost > 0 || Object.keys(statuses).some((status) => status !== '200')))
  process.exitCode = 1

async function measure(scene: Scene, site: RemoteSite, load: LoadProcess) {
  const windows: Window[] = []
  const reports: LoadReport[] = []
  let isLoaded = false
  await sleep(warmUpMs)
  for (const isLookedAt of turns(Number(values.windows))) {
    if (isLookedAt !== isLoaded) {
      if (isLookedAt) await load.begin()
      else reports.push(await load.end())
      isLoaded = isLookedAt
      await sleep(settleMs)
    }
    windows.push(await windowOf(scene, site, isLookedAt))
    console.error(windows.at(-1))
  }
  if (isLoaded) reports.push(await load.end())
  return { windows, reports }
}

async function windowOf(scene: Scene, site: RemoteSite, isLookedAt: boolean): Promise<Window> {
  const before = await look(scene, site)
  await sleep(Number(values.seconds) * 1000)
  const after = await look(scene, site)
  const seconds = (after.at - before.at) / 1000
  const pages = after.pages - before.pages
  const crawlerMs = after.crawlerMs - before.crawlerMs
  return {
    isLookedAt,
    pagesPerSecond: pages / seconds,
    crawlerShare: crawlerMs / 1000 / seconds,
    apiShare: (after.apiMs - before.apiMs) / 1000 / seconds,
    crawlerCpuMsOfPage: crawlerMs / pages,
    othersBusy: (after.others.busy - before.others.busy) / (after.others.all - before.others.all),
  }
}

async function look({ crawler, api }: Scene, site: RemoteSite) {
  const { pages } = await site.counts()
  const others = coreTimes(readFileSync('/proc/stat', 'utf8'), pinning?.site.split(',')[0] ?? '')
  return { at: performance.now(), pages, crawlerMs: crawler.cpuMs, apiMs: api.cpuMs, others }
}
