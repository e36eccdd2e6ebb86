/** From what single crawls came to, the figures that are reported. */
import type { CrawlRun } from './crawl-process.ts'
import type { FolderSize } from './folder-size.ts'
import type { Machine } from './machine.ts'
import { type Stage, stages, usByStage } from './stages.ts'

/** A crawl that was measured. */
export interface Round {
  readonly run: CrawlRun
  readonly kept: FolderSize
  readonly siteCpuMs: number
}

export interface StageCost {
  readonly stage: Stage
  readonly cpuMsPerPage: number
}

export interface Figures {
  readonly pages: number
  readonly requests: number
  readonly rounds: number
  /** The median of the rounds, as all that follows; start-up included. */
  readonly cpuMsPerPage: number
  /** The least and the most of the rounds: how noisy the machine was. */
  readonly cpuMsPerPageRange: readonly [number, number]
  readonly pagesPerCpuSecond: number
  readonly pagesPerSecond: number
  /** CPU time by the time that went by, of crawler and site: whichever is near 1 (or near its number of cores) is the limit. */
  readonly crawlerBusy: number
  readonly siteBusy: number
  /** The most of all rounds. */
  readonly peakRssBytes: number
  readonly receivedBytesPerPage: number
  readonly archiveBytesPerPage: number
  readonly databaseBytesPerPage: number
  /** To the disk in all, journals included; `null` where the system does not tell. */
  readonly writtenBytesPerPage: number | null
  /** Most first; empty when none were asked for. */
  readonly stages: readonly StageCost[]
}

/** On what and where something was measured. */
export interface Setting {
  readonly hosts: number
  /** `corpus`: real pages. */
  readonly pageSource: 'corpus' | 'invented'
  /** Of a page, on average. */
  readonly averages: { readonly plainBytes: number; readonly gzipBytes: number; readonly links: number }
  readonly measuredAt: string
  readonly machine: Machine
}

export interface ModeResult extends Figures, Setting {
  readonly mode: string
}

export function figuresOf(rounds: readonly Round[], profiled: CrawlRun | undefined): Figures {
  const [first] = rounds
  if (!first) throw new RangeError('there is no figure without a round')
  const { pages, requests } = first.run.summary
  const costs = rounds.map(({ run }) => run.usage.cpuMs / pages)
  const cpuMsPerPage = median(costs)
  const written = rounds.map(({ run }) => run.usage.writtenBytes)
  return {
    ...{ pages, requests, rounds: rounds.length, cpuMsPerPage },
    cpuMsPerPageRange: [Math.min(...costs), Math.max(...costs)],
    pagesPerCpuSecond: 1000 / cpuMsPerPage,
    pagesPerSecond: median(rounds.map(({ run }) => (pages * 1000) / run.summary.durationMs)),
    crawlerBusy: median(rounds.map(({ run }) => run.summary.cpuMs / run.summary.durationMs)),
    siteBusy: median(rounds.map(({ run, siteCpuMs }) => siteCpuMs / run.summary.durationMs)),
    peakRssBytes: Math.max(...rounds.map(({ run }) => run.usage.peakRssBytes)),
    receivedBytesPerPage: first.run.summary.bytes / pages,
    archiveBytesPerPage: median(rounds.map(({ kept }) => kept.archiveBytes)) / pages,
    databaseBytesPerPage: median(rounds.map(({ kept }) => kept.databaseBytes)) / pages,
    writtenBytesPerPage: written.every((bytes) => bytes !== null) ? median(written) / pages : null,
    stages: profiled ? scaledTo(cpuMsPerPage, stageCosts(middleRun(rounds), profiled)) : [],
  }
}

/**
 * The plain run's CPU, shared out as the profiled one's samples say. Start-up happens once, so its CPU in the profiled run
 * is its CPU here; what the engine does on threads of its own is in no sample, and known from the plain run.
 */
export function stageCosts(plain: CrawlRun, profiled: CrawlRun): StageCost[] {
  const sampledUs = usByStage(profiled.stacks)
  const sampledMs = sum(sampledUs.values()) / 1000
  if (sampledMs === 0) return []
  const msOf = (stage: Stage) => (sampledUs.get(stage) ?? 0) / 1000
  // Samples tell time that went by, part of which other processes had.
  const startMs = Math.min(msOf('start-up') * (sampledCpuMs(profiled) / sampledMs), sampledCpuMs(plain))
  const scale = (sampledCpuMs(plain) - startMs) / (sampledMs - msOf('start-up') || 1)
  const { engine, pool } = plain.usage.helperMs
  const extraMs: Partial<Record<Stage, number>> = { 'engine threads': engine, unattributed: pool }
  return stages
    .map((stage) => {
      const scaledMs = stage === 'start-up' ? startMs : msOf(stage) * scale
      return { stage, cpuMsPerPage: (scaledMs + (extraMs[stage] ?? 0)) / plain.summary.pages }
    })
    .sort((a, b) => b.cpuMsPerPage - a.cpuMsPerPage)
}

/** Of an even number of rounds none is the median: the costs are those of one beside it, made to sum up to it. */
function scaledTo(cpuMsPerPage: number, costs: readonly StageCost[]): StageCost[] {
  const all = sum(costs.map((cost) => cost.cpuMsPerPage))
  return costs.map(({ stage, ...cost }) => ({ stage, cpuMsPerPage: (cost.cpuMsPerPage * cpuMsPerPage) / all }))
}

/** CPU of the threads that the profiler looks at. */
function sampledCpuMs({ usage: { cpuMs, helperMs } }: CrawlRun): number {
  return Math.max(0, cpuMs - helperMs.engine - helperMs.pool)
}

/** The share of CPU time that no rule of `stages.ts` explains. */
export function unattributedShare(costs: readonly StageCost[]): number {
  const all = sum(costs.map(({ cpuMsPerPage }) => cpuMsPerPage))
  const unknown = costs.find(({ stage }) => stage === 'unattributed')?.cpuMsPerPage ?? 0
  return all > 0 ? unknown / all : 0
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function middleRun(rounds: readonly Round[]): CrawlRun {
  const sorted = rounds.toSorted((a, b) => a.run.usage.cpuMs - b.run.usage.cpuMs)
  return sorted[sorted.length >> 1]!.run
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
