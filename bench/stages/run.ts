import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { archive } from './archive.ts'
import { frontier } from './frontier.ts'
import { hashes } from './hash.ts'
import { httpClient } from './http.ts'
import { index } from './index.ts'
import { inflate } from './inflate.ts'
import { language } from './language.ts'
import { type Measured, measure, type Stage } from './measure.ts'
import { missingPackages } from './optional.ts'
import { linkParsing, parsing } from './parse.ts'
import { records } from './records.ts'
import { loadSamples } from './samples.ts'
import { simhashes } from './simhash.ts'
import { domains, urls } from './url.ts'

/**
 * Each stage alone on real pages, against the best alternative: `node bench/stages/run.ts [stage…] [--corpus DIR]
 * [--rounds N] [--json]`. Times are printed and never judged.
 */
const STAGES: readonly Stage[] = [
  ...[
    httpClient,
    inflate,
    parsing,
    linkParsing,
    language,
    urls,
    domains,
    hashes,
    simhashes,
    archive,
    records,
    index,
    frontier,
  ],
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string', default: fileURLToPath(new URL('../../../shared/corpus/pages/', import.meta.url)) },
    rounds: { type: 'string', default: '9' },
    json: { type: 'boolean', default: false },
  },
})

const samples = loadSamples(values.corpus)
const unknown = positionals.filter((name) => !STAGES.some((stage) => stage.name === name))
if (unknown.length > 0) {
  console.error(`No such stage: ${unknown.join(', ')}. There are ${STAGES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
} else if (samples.length === 0) {
  console.error(`No pages (*.html.gz) in ${values.corpus}: name a folder with --corpus.`)
  process.exitCode = 2
} else {
  const kilobytes = Math.round(samples.reduce((sum, { body }) => sum + body.length, 0) / samples.length / 1000)
  if (!values.json) console.log(`CPU ms a page; ${samples.length} pages of ${kilobytes} KB on average`)
  for (const stage of STAGES) {
    if (positionals.length > 0 && !positionals.includes(stage.name)) continue
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
