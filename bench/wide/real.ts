/**
 * Thousands of hosts in real time over real connections, as many as the machine carries: the bench site in a process of
 * its own answers after 20 ms to 5 s, and every host is asked once in `--delay-ms`. Prints how far hosts were from their
 * pace by what the site saw, what a request cost, and how many connections it took. Fails when a host was asked too soon.
 *
 *   node bench/wide/real.ts [--hosts 10000] [--pages 4] [--delay-ms 20000] [--tls] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crawl } from '../../src/index.ts'
import { startSite } from '../site/remote.ts'
import type { HostPace } from '../site/visits.ts'

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    /** Of each host. */
    pages: { type: 'string', default: '4' },
    'delay-ms': { type: 'string', default: '20000' },
    tls: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const hosts = Number(values.hosts)
const pages = hosts * Number(values.pages)
const delayMs = Number(values['delay-ms'])
/** Packets bunch on the way: a gap kept by the client may arrive a little shorter. */
const toleratedShare = 0.95

await using site = await startSite({ hosts, pages, tls: values.tls, latencyMs: { min: 20, max: 5000 } })
const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-wide-'))
try {
  const summary = await crawl({
    seeds: site.seeds,
    out: join(scratch, 'crawl'),
    delayMs,
    config: {
      dns: { servers: [site.dns] },
      // Longer than the slowest host takes, and connections as long as hosts rest.
      fetch: {
        ...{
          firstByteTimeoutMs: 20_000,
          totalTimeoutMs: 20_000,
          keepAliveMs: 2 * delayMs,
          maxKeepAliveMs: 2 * delayMs,
        },
        caCertificates: site.caCertificate ? [site.caCertificate] : [],
      },
      // What is asked for beside pages takes its turn, too, and no page counts for it.
      discovery: { usualPlaces: [], softMissing: false },
      store: { archive: false },
      worker: { text: false, index: false },
    },
  })
  const paces = (await site.hostPaces()).filter(({ requests }) => requests > 1)
  const errors = paces.map(paceError).sort((a, b) => a - b)
  const tooSoon = paces.filter(({ minGapMs }) => minGapMs !== null && minGapMs < delayMs * toleratedShare)
  const { connections, requests } = await site.counts()
  const report = {
    ...{ hosts, pages: summary.pages, requests, connections, failed: summary.failed },
    durationMs: summary.durationMs,
    cpuMsPerRequest: summary.cpuMs / requests,
    peakMib: Math.round(summary.peakRssBytes / 2 ** 20),
    /** Slower than allowed, as a share: of the middle host, of the one in a hundred, of the slowest. */
    paceError: { median: at(errors, 0.5), p99: at(errors, 0.99), most: at(errors, 1) },
    tooSoon: tooSoon.length,
  }
  console.log(values.json ? JSON.stringify(report) : report)
  if (tooSoon.length > 0 || summary.pages !== pages) process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function paceError({ requests, firstAtMs, lastAtMs }: HostPace): number {
  return (lastAtMs - firstAtMs) / ((requests - 1) * delayMs) - 1
}

function at(sorted: readonly number[], share: number): number {
  return Number(sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(4))
}
