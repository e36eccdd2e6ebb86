/**
 * A page of figures that is easy to refresh. What was measured is kept as JSON in a folder beside the page, named after
 * it, where `bench/peers` may have stored `peers.json`. Pictures are drawn into that folder, tables are written into the
 * page between markers such as `<!-- bench:modes -->` and `<!-- /bench:modes -->`. All words around them are left alone.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ModeResult } from './figures.ts'
import { type Grid, gridMarkdown } from './grid.ts'
import type { GrowthResult } from './growth.ts'
import { describeMachine } from './machine.ts'
import { growthMode, modeNames } from './modes.ts'
import { type PeerFigures, type PeersFile, peerFigures, peersGrid } from './peers.ts'
import { growthCurves } from './pictures/growth-curves.ts'
import { peerBars } from './pictures/peer-bars.ts'
import { stageBars } from './pictures/stage-bars.ts'
import { bytesGrid, growthColumns, growthGrid, modesGrid, stageColumns, stagesGrid, withNotes } from './tables.ts'

export type Result = ModeResult | GrowthResult

/** Crawls of whole sites, and growth, which has other figures. */
export function apart(results: readonly Result[]): { modes: ModeResult[]; growth: GrowthResult | undefined } {
  const isGrowth = (result: Result): result is GrowthResult => result.mode === growthMode
  return {
    modes: results.filter((result): result is ModeResult => !isGrowth(result)),
    growth: results.find(isGrowth),
  }
}

/** Lays new results over those that the page had, and writes page and pictures. */
export function writeReport(page: string, news: readonly Result[]): void {
  const folder = page.replace(/\.md$/, '')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'results.json')
  const results = merged(readJson<Result[]>(file) ?? [], news)
  if (results.length > 0) writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
  const peersFile = readJson<PeersFile>(join(folder, 'peers.json'))
  const peers = peersFile ? peerFigures(peersFile) : []
  for (const [name, picture] of Object.entries(picturesOf(results, peers))) writeFileSync(join(folder, name), picture)
  const text = existsSync(page) ? readFileSync(page, 'utf8') : emptyPage(basename(folder))
  writeFileSync(page, filled(text, sectionsOf(results, peers, basename(folder))))
}

/** One result for each mode, the newest, in the order of the modes. */
export function merged(olds: readonly Result[], news: readonly Result[]): Result[] {
  const byMode = new Map([...olds, ...news].map((result) => [result.mode, result]))
  return modeNames.flatMap((mode) => byMode.get(mode) ?? [])
}

/** Puts each section between its markers; a section without markers is left out. */
export function filled(page: string, sections: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(sections).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
    const from = text.indexOf(begin)
    const to = text.indexOf(end, from)
    if (from < 0 || to < 0) return text
    return `${text.slice(0, from + begin.length)}\n${lines.join('\n')}\n${text.slice(to)}`
  }, page)
}

function picturesOf(results: readonly Result[], peers: readonly PeerFigures[]): Record<string, string> {
  const { modes, growth } = apart(results)
  const columns = stageColumns(modes)
  return {
    ...(columns.length > 0 ? { 'stages.svg': stageBars(columns) } : {}),
    ...(growth ? { 'growth.svg': growthCurves(growth) } : {}),
    ...(peers.length > 0 ? { 'peers.svg': peerBars(peers) } : {}),
  }
}

/** `folder`: where the pictures lie, as seen from the page. */
function sectionsOf(
  results: readonly Result[],
  peers: readonly PeerFigures[],
  folder: string,
): Record<string, string[]> {
  const { modes, growth } = apart(results)
  const columns = stageColumns(modes)
  const growthStages = growth ? growthColumns(growth) : []
  const picture = (file: string, what: string) => ['', `![${what}](${folder}/${file})`]
  const table = (grid: Grid) => ['', ...gridMarkdown(grid), '']
  return {
    machine: machineLines(results),
    modes: modes.length > 0 ? table(modesGrid(modes)) : [],
    bytes: modes.length > 0 ? table(bytesGrid(modes)) : [],
    stages:
      columns.length > 0
        ? [...picture('stages.svg', 'CPU a page by stage and mode'), ...table(withNotes(stagesGrid(columns)))]
        : [],
    growth: growth
      ? [...picture('growth.svg', 'CPU and memory over the number of known URLs'), ...table(growthGrid(growth))]
      : [],
    'growth-stages': growthStages.length > 0 ? table(stagesGrid(growthStages)) : [],
    peers:
      peers.length > 0
        ? [...picture('peers.svg', 'CPU a page of each crawler'), ...table(peersGrid(peers))]
        : ['Not measured yet.'],
  }
}

/** Each machine once, with the modes measured on it and when. */
function machineLines(results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, ({ machine }) => describeMachine(machine))
  return [...groups].map(([machine, members]) => {
    const days = [...new Set(members.map(({ measuredAt }) => measuredAt.slice(0, 10)))].sort()
    return `- ${members.map(({ mode }) => mode).join(', ')} (${days.join(', ')}): ${machine}.`
  })
}

function emptyPage(name: string): string {
  const sections = ['machine', 'modes', 'bytes', 'stages', 'growth', 'growth-stages', 'peers']
  const slots = sections.flatMap((section) => [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`, ''])
  return ['# Performance', '', ...slots, `Pictures and results as JSON: [${name}/](${name}/).`, ''].join('\n')
}

function readJson<Value>(file: string): Value | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
