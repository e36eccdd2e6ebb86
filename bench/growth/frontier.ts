/**
 * How the embedded frontier grows: offers URLs on many hosts (few large, many small), leases and settles a share of
 * them on the way, and prints cost and memory at each step; then opens the folder again as after a crash.
 *
 *   node bench/growth/frontier.ts [--urls 10000000] [--hosts 200000] [--json]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { knownUrl } from '../../src/bench/known-urls.ts'
import { systemClock } from '../../src/clock.ts'
import { openDatabase } from '../../src/embedded/database.ts'
import { openFacts } from '../../src/embedded/facts.ts'
import { EmbeddedFrontier } from '../../src/frontier/adapters/embedded/embedded-frontier.ts'
import { frontierConfig } from '../../src/frontier/config.ts'
import { loadFingerprint } from '../../src/url/keys.ts'

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '10000000' },
    hosts: { type: 'string', default: '200000' },
    json: { type: 'boolean', default: false },
    open: { type: 'string' },
  },
})
const totalUrls = Number(values.urls)
const totalHosts = Number(values.hosts)
const folder = values.open ?? mkdtempSync(join(tmpdir(), 'orbweaver-growth-'))
const fingerprint = await loadFingerprint()

function open() {
  const database = openDatabase(join(folder, 'crawl.sqlite'))
  const facts = openFacts(database)
  const frontier = new EmbeddedFrontier({
    ...{ database, facts, clock: systemClock(), config: frontierConfig.parse({}), fingerprint },
    filterFile: join(folder, 'seen.bloom'),
    initialPace: () => ({ gapMs: 0, burst: 1, connections: 1, failures: 0 }),
  })
  return { database, frontier }
}

let seed = 12345
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
const candidate = (n: number) => knownUrl(n, totalHosts)

const rssMib = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
const report = (row: Record<string, number | string>) => {
  if (values.json) console.log(JSON.stringify(row))
  else
    console.log(
      Object.values(row)
        .map((cell) => String(cell).padStart(12))
        .join(''),
    )
}

if (values.open) {
  const startedAt = performance.now()
  const { frontier } = open()
  const openMs = Math.round(performance.now() - startedAt)
  console.log(JSON.stringify({ openMs, openMib: rssMib(), counts: await frontier.counts() }))
  process.exit(0)
}

const { database, frontier } = open()
if (!values.json)
  console.log(['urls', 'new µs', 'known µs', 'visit µs', 'rss MiB', 'disk B/url'].map((h) => h.padStart(12)).join(''))
const steps = [1e4, 1e5, 3e5, 1e6, 2e6, 3e6, 5e6, 7e6, 1e7, 2e7, 5e7].filter((step) => step < totalUrls)
const batchSize = 200
let offered = 0
let peakMib = 0
let newMs = 0
let newCount = 0
for (const step of [...steps, totalUrls]) {
  while (offered < step) {
    const before = cpuMs()
    const batch = Array.from({ length: Math.min(batchSize, step - offered) }, () => candidate(offered++))
    await frontier.offer(batch)
    newMs += cpuMs() - before
    newCount += batch.length
    // Lets the timer of the group commit run.
    if (offered % 20_000 === 0) await new Promise(setImmediate)
    peakMib = Math.max(peakMib, rssMib())
  }
  const sample = Math.min(5000, step)
  const beforeKnown = cpuMs()
  for (let n = 0; n < sample; n += batchSize) {
    const first = Math.floor(random() * Math.max(1, Math.min(step, totalHosts) - batchSize))
    await frontier.offer(Array.from({ length: batchSize }, (_, i) => candidate(first + i)))
  }
  const knownMs = cpuMs() - beforeKnown
  const beforeVisits = cpuMs()
  let visits = 0
  while (visits < sample) {
    const { leases } = await frontier.lease(20, 5)
    if (leases.length === 0) break
    for (const lease of leases) {
      await frontier.settle(
        lease,
        lease.requests.map(({ url }) => ({ url, kind: 'done' })),
      )
      await frontier.release(lease, { touchedMsAgo: 0, pace: lease.pace })
      visits += lease.requests.length
    }
  }
  const visitMs = cpuMs() - beforeVisits
  database.commit()
  const { admitted } = await frontier.counts()
  if (admitted !== step) throw new Error(`${admitted} admitted, expected ${step}`)
  report({
    urls: step,
    newUs: ((newMs * 1000) / newCount).toFixed(2),
    knownUs: ((knownMs * 1000) / sample).toFixed(2),
    visitUs: ((visitMs * 1000) / Math.max(1, visits)).toFixed(2),
    rssMib: rssMib(),
    diskBytesPerUrl: Math.round(statSync(join(folder, 'crawl.sqlite')).size / step),
  })
  newMs = newCount = 0
}
const countsBefore = await frontier.counts()
database[Symbol.dispose]()
console.log(values.json ? JSON.stringify({ peakMib }) : `peak ${peakMib} MiB while growing`)

// In a process of its own, so that its memory is its own too. The filter's file is missing, as after a crash.
const { stdout } = spawnSync(process.execPath, [import.meta.filename, '--open', folder], { encoding: 'utf8' })
const { openMs, openMib, counts } = JSON.parse(stdout)
if (JSON.stringify(counts) !== JSON.stringify(countsBefore)) throw new Error(`counts changed on opening: ${stdout}`)
console.log(
  values.json ? JSON.stringify({ openMs, openMib }) : `opened after a crash in ${openMs} ms with ${openMib} MiB`,
)
rmSync(folder, { recursive: true })
