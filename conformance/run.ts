import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { realPages } from './real-pages.ts'
import { type Held, report } from './report.ts'
import { suites } from './suites.ts'

/** Runs the public suites that are on this machine and writes `docs/conformance.md`. Fails if a case fails without a reason. */
const { values } = parseArgs({
  options: { suites: { type: 'string' }, pages: { type: 'string' }, out: { type: 'string' } },
})
const folder = values.suites ?? process.env.ORBWEAVER_SUITES
if (folder === undefined) {
  console.error(
    'Say where the public suites are: node conformance/run.ts --suites DIR (conformance/fetch.ts brings them).',
  )
  process.exit(2)
}

const held: Held[] = []
for (const suite of suites) {
  const place = join(resolve(folder), suite.repository)
  const isHere = suite.paths.every((path) => existsSync(join(place, path)))
  const tally = isHere ? await suite.run(place) : undefined
  console.log(`${suite.title}: ${tally ? `${tally.passed} of ${tally.cases}` : 'not on this machine'}`)
  held.push({ ...suite, tally })
}
const pages = values.pages === undefined ? undefined : realPages(resolve(values.pages))
const faults = [...held.map(({ tally }) => tally), pages].flatMap((tally) => tally?.faults ?? [])
for (const fault of faults.slice(0, 50)) console.log(`  fails: ${fault}`)
writeFileSync(values.out ?? join(import.meta.dirname, '../docs/conformance.md'), report(held, pages))
process.exitCode = faults.length > 0 ? 1 : 0
