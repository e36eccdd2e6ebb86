/** The figures as tables, for terminal and page alike. */
import { showBytes, showCount } from '../cli/units.ts'
import { type Figures, type ModeResult, type StageCost, unattributedShare } from './figures.ts'
import type { Grid } from './grid.ts'
import type { GrowthResult } from './growth.ts'
import { type Stage, stageNotes, stages } from './stages.ts'

export function modesGrid(results: readonly ModeResult[]): Grid {
  return {
    heads: [
      'mode',
      'pages',
      'pages/s',
      'pages/CPU s',
      'CPU ms a page',
      'min–max',
      'peak MiB',
      'crawler busy',
      'site busy',
    ],
    rows: results.map((result) => [
      ...[result.mode, showCount(result.pages), showCount(result.pagesPerSecond)],
      ...[showCount(result.pagesPerCpuSecond), ...cost(result), mebibytes(result.peakRssBytes)],
      ...[percent(result.crawlerBusy), percent(result.siteBusy)],
    ]),
  }
}

/** What a page weighs on its way in, and what is left of it on the disk. */
export function bytesGrid(results: readonly ModeResult[]): Grid {
  return {
    heads: ['bytes a page', 'received', 'archive', 'database', 'written in all'],
    rows: results.map((result) => [
      result.mode,
      showBytes(result.receivedBytesPerPage),
      showBytes(result.archiveBytesPerPage),
      showBytes(result.databaseBytesPerPage),
      result.writtenBytesPerPage === null ? 'unknown' : showBytes(result.writtenBytesPerPage),
    ]),
  }
}

export function growthGrid({ steps }: GrowthResult): Grid {
  const first = steps[0]?.cpuMsPerPage ?? 1
  return {
    heads: ['known URLs', 'CPU ms a page', 'min–max', 'ratio', 'peak MiB', 'to open, CPU s', 'pages/s'],
    rows: steps.map((step) => [
      ...[showCount(step.knownUrls), ...cost(step), (step.cpuMsPerPage / first).toFixed(2)],
      ...[mebibytes(step.peakRssBytes), (step.openCpuMs / 1000).toFixed(2), showCount(step.pagesPerSecond)],
    ]),
  }
}

/** A column of costs, such as those of a mode. */
export interface StageColumn {
  readonly name: string
  readonly costs: readonly StageCost[]
}

export function stageColumns(results: readonly ModeResult[]): StageColumn[] {
  return results.filter((result) => result.stages.length > 0).map(({ mode, stages: costs }) => ({ name: mode, costs }))
}

export function growthColumns({ steps }: GrowthResult): StageColumn[] {
  return steps
    .filter((step) => step.stages.length > 0)
    .map(({ knownUrls, stages: costs }) => ({ name: `${showCount(knownUrls)} URLs`, costs }))
}

/** CPU ms a page for each stage, the dearest in the first column first. */
export function stagesGrid(columns: readonly StageColumn[]): Grid {
  const rows = stagesByCost(columns).map((stage) => [
    stage,
    ...columns.map(({ costs }) => (costOf(costs, stage) ?? 0).toFixed(3)),
  ])
  const totals = columns.map(({ costs }) => costs.reduce((sum, { cpuMsPerPage }) => sum + cpuMsPerPage, 0).toFixed(3))
  const unknown = columns.map(({ costs }) => percent(unattributedShare(costs), 1))
  return {
    heads: ['CPU ms a page', ...columns.map(({ name }) => name)],
    rows: [...rows, ['all', ...totals], ['share unattributed', ...unknown]],
  }
}

/** The same with a last column that says what the names of the stages do not. */
export function withNotes({ heads, rows }: Grid): Grid {
  const notes: Readonly<Record<string, string>> = stageNotes
  return { words: 1, heads: [...heads, ''], rows: rows.map((row) => [...row, notes[row[0]!] ?? '']) }
}

export function stagesByCost([first]: readonly StageColumn[]): Stage[] {
  const cost = (stage: Stage) => (first && costOf(first.costs, stage)) ?? 0
  const named = stages.filter((stage) => stage !== 'unattributed')
  return [...named.toSorted((a, b) => cost(b) - cost(a)), 'unattributed']
}

export function costOf(costs: readonly StageCost[], stage: Stage): number | undefined {
  return costs.find((one) => one.stage === stage)?.cpuMsPerPage
}

function cost({ cpuMsPerPage, cpuMsPerPageRange: [least, most] }: Figures): [string, string] {
  return [cpuMsPerPage.toFixed(2), `${least.toFixed(2)}–${most.toFixed(2)}`]
}

function mebibytes(bytes: number): string {
  return showCount(bytes / 2 ** 20)
}

function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`
}
