import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release } from 'node:os'
import { resolve } from 'node:path'
import { table } from '../../src/cli/terminal.ts'
import { type RemoteSite, startSite } from '../site/remote.ts'
import { built, isThere } from './build.ts'
import { isComplete, type Measured, type Run } from './figures.ts'
import { measure, measuringNeeds } from './measure.ts'
import { readPeersOptions } from './options.ts'
import { type Peer, peers } from './peers.ts'
import { columns, faults, markdown, rows, type Skipped } from './report.ts'
import { touchFreeMemory } from './touched-memory.ts'

/**
 * The same site crawled by Orbweaver and by those that people could pick instead, in turns, so that whatever else the
 * machine does meets all of them. One core for the crawler, another for the site; CPU time is the measure.
 */
const crawlerCore = 0
const siteCore = 1

const options = readPeersOptions(process.argv.slice(2))
const lacking = measuringNeeds.filter((program) => !isThere(program))
if (lacking.length > 0 || availableParallelism() < 2) {
  process.stderr.write(`This bench needs two cores and ${measuringNeeds.join(', ')}.\n`)
  process.exit(2)
}

interface Contestant {
  readonly peer: Peer
  readonly place: string
  readonly runs: Run[]
}

buildOrbweaver()
const skipped: Skipped[] = []
const contestants = peers.filter(isWanted).flatMap((peer): Contestant[] => {
  const result = built(peer.recipe, peer.needs)
  if ('place' in result) return [{ peer, place: result.place, runs: [] }]
  skipped.push({ name: peer.name, reason: result.skipped })
  return []
})

await using site = await startSite({ pages: options.pages, corpus: options.corpus }, siteCore)
await using smallSite = await startSite({ pages: options.slowPages, corpus: options.corpus }, siteCore)
for (let round = 1; round <= options.rounds; round++)
  for (const contestant of contestants) await crawl(contestant, round)

const all: Measured[] = contestants.map(({ peer, runs }) => ({ peer, pages: siteOf(peer).pages, runs }))
const { plainBytes, gzipBytes, links } = site.averages
const machine = { cpu: cpus()[0]?.model, cores: availableParallelism(), linux: release(), node: process.version }
console.log(
  `${site.corpus === null ? 'Invented' : 'Real'} pages of ${Math.round(plainBytes / 1000)} KB (${Math.round(gzipBytes / 1000)} KB gzip, ` +
    `${Math.round(links)} links) on average; ${options.rounds} rounds; ${machine.cpu}, one core for the crawler`,
)
console.log(table([[...columns], ...rows(all)].map((row) => row.slice(0, 10))).join('\n'))
for (const { name, reason } of skipped) console.log(`Not measured: ${name} (${reason}).`)
for (const fault of faults(all)) console.log(`Incomplete: ${fault}.`)
if (options.json !== undefined)
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, averages: site.averages, measured: all, skipped }, null, 2)}\n`,
  )
if (options.markdown !== undefined) writeFileSync(options.markdown, markdown(all, skipped))

async function crawl({ peer, place, runs }: Contestant, round: number): Promise<void> {
  const target = siteOf(peer)
  await target.reset()
  touchFreeMemory()
  const usage = await measure(crawlerCore, (out) => peer.command(target.addressSeed!, place, out), peer.env ?? {})
  const run = { round, ...usage, counts: await target.counts() }
  runs.push(run)
  const outcome = isComplete(target, run) ? `${(usage.cpuMs / target.pages).toFixed(2)} CPU ms a page` : 'incomplete'
  process.stderr.write(`${round} ${peer.name}: ${outcome}\n`)
}

/** What npm would install, of the sources as they are. */
function buildOrbweaver(): void {
  const script = resolve(import.meta.dirname, '../../scripts/build.ts')
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

function siteOf(peer: Peer): RemoteSite {
  return peer.isSlow ? smallSite : site
}

function isWanted({ name }: Peer): boolean {
  return options.only.length === 0 || options.only.some((part) => name.toLowerCase().includes(part.toLowerCase()))
}
