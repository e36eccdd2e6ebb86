import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { showBytes, showCount } from '../src/cli/units.ts'
import { crawl } from '../src/index.ts'
import { startRemoteWeb } from '../test/web/remote.ts'

/**
 * What a page costs with everything on: one host of the test web, in a process of its own, with pages like real ones
 * (100 KB, some 100 links), crawled without delay. Times are printed and never judged, since machines differ; it fails when
 * the counts are not exact.
 */
const { values } = parseArgs({
  options: {
    /** A short run, to see that it works. */
    smoke: { type: 'boolean', default: false },
    pages: { type: 'string' },
    'weight-bytes': { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
  },
})
const pages = Number(values.pages ?? (values.smoke ? 300 : 5000))

await using web = await startRemoteWeb([
  ...['--preset', 'big', '--pages', String(pages), '--weight-bytes', values['weight-bytes'], '--prepared'],
])
const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'))
try {
  const summary = await crawl({
    seeds: web.seeds,
    out: join(scratch, 'crawl'),
    delayMs: 0,
    config: { dns: { servers: [web.dns] } },
  })
  const { durationMs, cpuMs, bytes, peakRssBytes, failed, queued } = summary
  const rate = (summary.pages * 1000) / durationMs
  const cpuMsPerPage = cpuMs / summary.pages
  if (values.json) console.log(JSON.stringify({ ...summary, pagesPerSecond: rate, cpuMsPerPage }))
  else
    console.log(
      `${showCount(summary.pages)} pages (${showBytes(bytes)} received), ${rate.toFixed(0)} pages/s, ` +
        `${cpuMsPerPage.toFixed(2)} CPU ms a page, ${showBytes(peakRssBytes)} at most`,
    )
  // Every page, and robots.txt.
  const faults = [
    ...(summary.pages === pages ? [] : [`${summary.pages} pages, expected ${pages}`]),
    ...(summary.requests === pages + 1 ? [] : [`${summary.requests} requests, expected ${pages + 1}`]),
    ...(failed + queued === 0 ? [] : [`${failed} failed, ${queued} left over`]),
  ]
  for (const fault of faults) console.error(`Wrong: ${fault}.`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
