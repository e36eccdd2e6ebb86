/**
 * Ten thousand hosts at one request a second each, with latencies from 20 ms to 5 s, in virtual time: real frontier,
 * worker and host sessions, played fetching. Prints how far every host was from its allowed pace, and what scheduling a
 * page costs. Fails when a host was visited too soon, or was off its pace by more than a twentieth.
 *
 *   node bench/wide/virtual.ts [--hosts 10000] [--pages 20] [--json]
 */
import { parseArgs } from 'node:util'
import { paceReport } from '../../test/crawl/wide-pace.ts'
import { runWideWorld } from '../../test/crawl/wide-world.ts'

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    pages: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
})
const hosts = Number(values.hosts)
const pagesPerHost = Number(values.pages)
const before = process.cpuUsage()
const run = await runWideWorld({ hosts, pagesPerHost, latencyMs: [20, 5000], concurrency: hosts })
const { user, system } = process.cpuUsage(before)
const pace = paceReport(run.touches.values())
const cpuMsPerPage = (user + system) / 1000 / hosts / pagesPerHost

if (values.json) console.log(JSON.stringify({ hosts, pagesPerHost, ...pace, cpuMsPerPage, virtualMs: run.virtualMs }))
else {
  const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(2)} %`
  console.log(`${hosts} hosts with ${pagesPerHost} pages each, ${run.mostOpenHosts} held at once`)
  console.log(
    `slower than allowed by ${percent(pace.mean)} on average, ${percent(pace.least)} to ${percent(pace.most)}`,
  )
  console.log(`${pace.violations} requests too soon, ${pace.off} hosts off by more than 5 %`)
  console.log(`${cpuMsPerPage.toFixed(3)} CPU ms to schedule a page, played web included`)
}
if (pace.violations + pace.off > 0) process.exitCode = 1
