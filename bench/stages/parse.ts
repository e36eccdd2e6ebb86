import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parse } from 'parse5'
import { parseConfig } from '../../src/parse/config.ts'
import { detectLanguage } from '../../src/parse/language.ts'
import { parsePage } from '../../src/parse/parse-page.ts'
import { END_OF_INPUT, Scanner } from '../../src/parse/scanner.ts'

/**
 * CPU milliseconds for an average page of the corpus, once warm: `node bench/stages/parse.ts [rounds]`. The best round
 * counts, because whatever else runs on the machine can only add.
 */
const corpus = new URL('../../../shared/corpus/pages/', import.meta.url)
if (!existsSync(corpus)) {
  console.log(`No corpus at ${corpus.pathname}: nothing to measure.`)
  process.exit(0)
}

const rounds = Number(process.argv[2] ?? 12)
const pages = readdirSync(corpus)
  .filter((name) => name.endsWith('.html.gz'))
  .map((name) => gunzipSync(readFileSync(new URL(name, corpus))))
const options = {
  url: 'https://example.com/dir/page',
  contentType: 'text/html; charset=utf-8',
  config: parseConfig.parse({}),
}
const texts = pages.map((page) => parsePage(page, options).text)

const stages: Record<string, (page: Buffer, index: number) => unknown> = {
  'tokens only': countTokens,
  'links only': (page) => parsePage(page, { ...options, withText: false }),
  'links, text, metadata, language': (page) => parsePage(page, options),
  'language alone': (_page, index) => detectLanguage(texts[index]!),
  'parse5 tree': (page) => parse(page.toString()),
}

const bytes = pages.reduce((sum, page) => sum + page.length, 0)
console.log(`${pages.length} pages, ${Math.round(bytes / pages.length / 1000)} KB each, best of ${rounds} rounds`)
for (const [name, stage] of Object.entries(stages)) {
  const ms = bestMs(stage, name.startsWith('parse5') ? Math.min(rounds, 2) : rounds)
  console.log(`${name.padEnd(34)} ${ms.toFixed(3)} ms a page, ${Math.round(bytes / pages.length / ms / 1000)} MB/s`)
}

function bestMs(stage: (page: Buffer, index: number) => unknown, times: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < times; round++) {
    const before = process.cpuUsage()
    pages.forEach(stage)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000 / pages.length)
  }
  return best
}

function countTokens(page: Buffer): number {
  const scanner = new Scanner(page)
  let count = 0
  while (scanner.next() !== END_OF_INPUT) count++
  return count
}
