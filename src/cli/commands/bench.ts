import { UsageError } from '../../config/usage-error.ts'
import type { Command, Given, Invocation } from '../command.ts'
import { readCount } from '../units.ts'

export const bench: Command = {
  name: 'bench',
  usage: '[MODE…] [options]',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'measures how fast this machine crawls, on a site that is built in',
  isLocal: true,
  details: `
Modes: one-host (unless another is named), 500-hosts, 10000-hosts (a connection each), https (a fresh connection for every
page), growth (the cost of a page when 10 thousand to 10 million URLs are known; takes minutes), all. Site and crawler run in
processes of their own, each on its own core where there are two. Printed are pages a second and a CPU second, CPU for each
stage, memory and bytes written; with --json a line for each mode. Exit code 1: a crawl's counts were wrong, or it failed.
No time is ever judged. Settings in the environment (ORBWEAVER_WORKER_CONCURRENCY=50) reach the crawl that is measured.

  orbweaver bench
  orbweaver bench 500-hosts https --rounds 5
  orbweaver bench all --report performance.md`,
  flags: {
    pages: { type: 'string', value: 'N', help: 'pages of the site, in place of what the mode has' },
    rounds: { type: 'string', value: 'N', help: 'crawls of which the median counts (3)' },
    corpus: { type: 'string', value: 'DIR', help: 'real pages (*.html.gz) for the site; else invented ones' },
    'max-urls': { type: 'string', value: 'N', help: 'of growth: leave out the sizes above' },
    'no-stages': { type: 'boolean', help: 'do not crawl once more with the profiler to tell the stages apart' },
    'no-pin': { type: 'boolean', help: 'let crawler and site share all cores' },
    smoke: { type: 'boolean', help: 'a few hundred pages, one round: checks the counts, times mean little' },
    report: { type: 'string', value: 'FILE.md', help: 'keep results there: tables in the page, pictures beside it' },
    redraw: { type: 'boolean', help: 'measure nothing: write the report again from its results' },
  },
  async run(invocation) {
    const wish = readWish(invocation)
    // What it needs is loaded only here: all other commands start without it.
    const { runBench } = await import('../../bench/run-bench.ts')
    return runBench(wish, invocation)
  },
}

/** What was asked for. */
export interface BenchWish {
  readonly modes: readonly string[]
  readonly pages: number | undefined
  readonly rounds: number
  readonly corpus: string | undefined
  readonly maxUrls: number | undefined
  readonly withStages: boolean
  readonly isPinned: boolean
  readonly smoke: boolean
  readonly report: string | undefined
  readonly redraw: boolean
}

function readWish({ args, given }: Pick<Invocation, 'args' | 'given'>): BenchWish {
  const smoke = given.smoke === true
  const report = given.report as string | undefined
  if (report !== undefined && !report.endsWith('.md')) throw new UsageError('--report takes the name of a .md file.')
  if (given.redraw === true && report === undefined) throw new UsageError('--redraw needs --report FILE.md.')
  return {
    modes: args,
    pages: positive(given, 'pages'),
    rounds: positive(given, 'rounds') ?? (smoke ? 1 : 3),
    corpus: given.corpus as string | undefined,
    maxUrls: positive(given, 'max-urls'),
    withStages: given['no-stages'] !== true,
    isPinned: given['no-pin'] !== true,
    smoke,
    report,
    redraw: given.redraw === true,
  }
}

function positive(given: Given, flag: string): number | undefined {
  const text = given[flag]
  if (typeof text !== 'string') return undefined
  const count = readCount(flag)(text)
  if (count < 1) throw new UsageError(`--${flag} takes a number above 0, not "${text}".`)
  return count
}
