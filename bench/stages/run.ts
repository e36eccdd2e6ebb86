import { parseArgs } from 'node:util'
import { corpusFolder } from '../site/corpus.ts'
import { type Measured, measure, type Stage } from './measure.ts'
import { missingPackages } from './optional.ts'
import { loadSamples } from './samples.ts'
import { STAGES } from './stages.ts'

/**
 * Each stage alone on real pages, against the best alternative: `node bench/stages/run.ts [stage…] [--corpus DIR]
 * [--rounds N] [--json]`. Without a corpus the pages are invented. Times are printed and never judged.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
  },
})

const unknown = positionals.filter((name) => !STAGES.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(`No such stage: ${unknown.join(', ')}. There are ${STAGES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
} else await run(STAGES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))

async function run(stages: readonly Stage[]): Promise<void> {
  const folder = corpusFolder(values.corpus)
  const samples = loadSamples(folder)
  const kilobytes = Math.round(samples.reduce((sum, { body }) => sum + body.length, 0) / samples.length / 1000)
  const pages = `${samples.length} ${folder === undefined ? 'invented' : 'real'} pages of ${kilobytes} KB on average`
  if (!values.json) console.log(`CPU ms a page; ${pages}`)
  for (const stage of stages) {
    const measured = await measure(stage, samples, Number(values.rounds))
    if (values.json) for (const line of measured) console.log(JSON.stringify(line))
    else print(stage.name, measured)
  }
  const missing = missingPackages()
  if (missing.length > 0)
    console.error(`\nLeft out, since not installed: ${missing.join(', ')} (npm ci --prefix bench/stages).`)
}

function print(stage: string, measured: readonly Measured[]): void {
  console.log(`\n${stage}`)
  for (const { way, cpuMsPerPage, ratio } of measured)
    console.log(`  ${way.padEnd(52)} ${cpuMsPerPage.toFixed(3).padStart(8)}  ${ratio.toFixed(2).padStart(6)}×`)
}
