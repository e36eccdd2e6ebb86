/**
 * Whether good hosts notice bad ones: crawls a thousand good hosts alone, and with a host for every way to misbehave
 * beside them, in turn on the same machine, until the last good page is there. All limits are those that a user has who
 * sets none. Prints pages of the good hosts a second, the time until the last of them, and the peak of memory; and what
 * is left beside the bad hosts of what was there without them. Fails when a good page is missing.
 *
 *   node bench/hostile/run.ts [--hosts 1000] [--pages 10] [--delay-ms 3000] [--each 1] [--rounds 2] [--only paced|full] [--json]
 *
 * `paced`: one request to a host in `--delay-ms`, more than the machine needs. `full`: no delay, as on one's own hosts.
 */
import { parseArgs } from 'node:util'
import { crawlHostileWeb, hostileWeb, kindsOfMisbehaviour } from '../../test/crawl/hostile-web.ts'
import type { Watched } from '../../test/crawl/watched-crawl.ts'
import { median } from '../peers/figures.ts'

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000' },
    /** Of each good host. */
    pages: { type: 'string', default: '10' },
    /** Bad hosts of each kind. */
    each: { type: 'string', default: '1' },
    'delay-ms': { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '2' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const hosts = Number(values.hosts)
const pages = Number(values.pages)
const each = Number(values.each)
const modes = { paced: Number(values['delay-ms']), full: 0 }

for (const [mode, delayMs] of Object.entries(modes)) {
  if (values.only !== undefined && values.only !== mode) continue
  const alone: Watched[] = []
  const beside: Watched[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    // A, B, B, A: whatever drifts meets both.
    const order = round % 2 === 0 ? [alone, beside] : [beside, alone]
    for (const runs of order) runs.push(await measured(mode, delayMs, runs === beside))
  }
  report(mode, alone, beside)
}

async function measured(mode: string, delayMs: number, withBad: boolean): Promise<Watched> {
  const settings = { 'politeness.delayMs': delayMs }
  const orders = { settings, goodPages: hosts * pages, untilGood: true }
  await using crawl = await crawlHostileWeb(hostileWeb(hosts, pages, withBad ? each : 0), orders)
  const { watched } = crawl
  if (watched.goodPages !== hosts * pages) process.exitCode = 1
  const name = withBad ? `beside ${kindsOfMisbehaviour * each} bad` : 'alone'
  if (values.json) console.log(JSON.stringify({ mode, withBad, ...watched }))
  else console.log(`${mode}, ${name}: ${inWords(watched)}`)
  return watched
}

function inWords(watched: Watched): string {
  const { goodPages, otherVisits, untilLastGoodMs, slowestHostsMs, cpuMs, peakRssBytes } = watched
  return [
    `${goodPages} good pages, ${pagesPerSecond(watched).toFixed(0)}/s`,
    `last after ${(untilLastGoodMs / 1000).toFixed(1)} s (99 % of hosts ${(slowestHostsMs / 1000).toFixed(1)} s)`,
    `${otherVisits} other visits`,
    `CPU ${(cpuMs / 1000).toFixed(1)} s`,
    `peak ${Math.round(peakRssBytes / 2 ** 20)} MiB`,
  ].join(', ')
}

function pagesPerSecond({ goodPages, untilLastGoodMs }: Watched): number {
  return (goodPages * 1000) / untilLastGoodMs
}

function report(mode: string, alone: readonly Watched[], beside: readonly Watched[]): void {
  const speed = (runs: readonly Watched[]) => median(runs.map(pagesPerSecond))
  const memory = (runs: readonly Watched[]) => median(runs.map(({ peakRssBytes }) => peakRssBytes)) / 2 ** 20
  const share = speed(beside) / speed(alone)
  const growthMib = memory(beside) - memory(alone)
  if (values.json) console.log(JSON.stringify({ mode, share, growthMib }))
  else console.log(`${mode}: ${(share * 100).toFixed(1)} % of the speed, ${growthMib.toFixed(0)} MiB more memory`)
}
