import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { dot } from 'node:test/reporters'
import { table } from '../src/cli/terminal.ts'
import { ConformanceTable, showCoverage, type TestEvent } from './conformance.ts'
import { enginesAreRequired, isForWantOfEngine, openEngines } from './test-engines.ts'

/**
 * Runs all tests, or those in files whose path contains one of the arguments: `npm test -- frontier`, with the engines
 * that they need. Ends with the conformance suites and the adapters they ran over, and a line of counts.
 */
const root = resolve(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const find = (pattern: string) =>
  globSync(`{src,test,scripts,examples,bench,conformance}/**/${pattern}`, { cwd: root }).sort()
const files = find('*.test.ts').filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))

const perTestMs = 600_000
const allTestsMs = 3_600_000
/** Fleets, browsers and whole crawls under faults want the machine for themselves: they come last, one after the other. */
const isHeavy = (file: string) => /^test\/(fleet|dashboard)\//.test(file)

const conformance = new ConformanceTable(root)
const durations = new Map<string, number>()
const skipped: { readonly name: string; readonly reason: string }[] = []
const counts = { passed: 0, failed: 0, skipped: 0 }
let success = files.length > 0

const { heavy = [], light = [] } = Object.groupBy(files, (file) => (isHeavy(file) ? 'heavy' : 'light'))
await using engines = await openEngines(files.map((file) => join(root, file)))
const outOfTime = AbortSignal.timeout(allTestsMs)
await runAll(light, availableParallelism())
await runAll(heavy, 1)

const rows = conformance.rows(wanted.length === 0 ? find('*.conformance.ts') : [])
if (rows.some(({ adapter, failed }) => adapter === '' || failed > 0)) success = false
if (rows.length > 0) {
  const cells = rows.map((row) => [row.suite, row.adapter || '-', showCoverage(row)])
  console.log(`\n${table([['Suite', 'Adapter', 'Tests'], ...cells]).join('\n')}`)
}
const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 5)
console.log(`\nSlowest: ${slowest.map(([file, ms]) => `${file} ${(ms / 1000).toFixed(1)} s`).join(', ')}`)
for (const { name, reason } of skipped) console.log(`Skipped: ${name} (${reason})`)
if (enginesAreRequired() && isWanting()) {
  console.log('\nAn engine was missing or a suite was skipped, and ORBWEAVER_TEST_REQUIRE_ENGINES=1 forbids both.')
  success = false
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = success ? 0 : 1

function isWanting(): boolean {
  const isMissing = engines.starts.some(({ kind }) => kind === 'missing')
  const isSuiteSkipped = rows.some((row) => row.skipped.length > 0)
  return isMissing || isSuiteSkipped || skipped.some(({ reason }) => isForWantOfEngine(reason))
}

async function runAll(files: readonly string[], concurrency: number): Promise<void> {
  if (files.length === 0) return
  const paths = files.map((file) => join(root, file))
  const events = run({ files: paths, concurrency, timeout: perTestMs, signal: outOfTime })
  events.on('data', (event: TestEvent) => conformance.see(event))
  // The reporter tells at the end: too late for who waits, and never where a run is cut off.
  events.on('test:fail', ({ name, file, details }) => {
    if (details.type === 'test') console.error(`\nFailed: ${file ? `${relative(root, file)}: ` : ''}${name}`)
  })
  events.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined) skipped.push({ name, reason: typeof skip === 'string' ? skip : 'no reason given' })
  })
  events.on('test:summary', (summary) => {
    if (summary.file !== undefined) {
      durations.set(relative(root, summary.file), summary.duration_ms)
      return
    }
    const { tests, passed, skipped, todo } = summary.counts
    counts.passed += passed
    counts.failed += tests - passed - skipped - todo
    counts.skipped += skipped + todo
    success &&= summary.success
  })
  for await (const text of events.compose(dot)) process.stdout.write(text)
}
