import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Summary } from '../summary.ts'
import { type CpuProfile, type Stack, stacksOf } from './cpu-profile.ts'
import { pinned } from './pinning.ts'
import { helperMsOf, type ProcessUsage, writtenBytesBy } from './usage.ts'

export interface CrawlRun {
  readonly summary: Summary
  readonly usage: ProcessUsage
  /** What was on the stacks of all threads; empty unless asked for. */
  readonly stacks: readonly Stack[]
  /** The first moment at which the crawl was seen at work; none if it ended before. */
  readonly underWay: UnderWay | undefined
}

/** What the crawl had done by then, and what its process had used. */
export interface UnderWay {
  readonly done: Pick<Summary, 'pages' | 'requests' | 'bytes'>
  readonly elapsedMs: number
  readonly usage: Omit<ProcessUsage, 'peakRssBytes'>
  /** By the system's monotonic clock. */
  readonly atUs: number
}

export interface CrawlProcessOptions {
  /** The command line behind `orbweaver`, without `--json`. */
  readonly args: readonly string[]
  /** The cores it may run on. */
  readonly cores: string | undefined
  /** Samples the stacks, which costs a little: for shares, not for totals. `under-way`: not those of opening the folder. */
  readonly withStacks?: 'all' | 'under-way' | undefined
  readonly signal: AbortSignal
  readonly onPages: (pages: number) => unknown
}

/** The crawl ended with an error: its own words. */
export class CrawlFailed extends Error {
  override readonly name = 'CrawlFailed'
}

const sampleEveryUs = 500

/** Runs the program as a user does, in a process of its own, and answers what it came to and what it used. */
export async function runCrawlProcess(options: CrawlProcessOptions): Promise<CrawlRun> {
  const { args, cores, withStacks, signal, onPages } = options
  signal.throwIfAborted()
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-bench-run-'))
  const usageFile = join(scratch, 'usage.json')
  const probe = siblingOf('./probe')
  probe.searchParams.set('usage', usageFile)
  // Worker threads inherit these flags: each writes a profile of its own.
  const profiling = withStacks
    ? ['--cpu-prof', `--cpu-prof-dir=${scratch}`, `--cpu-prof-interval=${sampleEveryUs}`]
    : []
  const node = [...profiling, '--import', probe.href, fileURLToPath(siblingOf('../cli/main'))]
  const [command, ...rest] = pinned([process.execPath, ...node, ...args, '--json'], cores)
  try {
    // It names the site's pages, and to a crawl it is no setting.
    const { ORBWEAVER_CORPUS: _, ...env } = process.env
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env })
    const stop = () => child.kill('SIGTERM')
    signal.addEventListener('abort', stop)
    const closed = once(child, 'close')
    const errors = text(child.stderr)
    let last = ''
    let underWay: UnderWay | undefined
    for await (const line of createInterface(child.stdout)) {
      last = line
      const progress = JSON.parse(line)
      if (progress.reason === undefined) underWay ??= seenUnderWay(progress, child.pid!)
      onPages(progress.pages)
    }
    const [code] = await closed
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
    if (code !== 0) throw new CrawlFailed((await errors).trim() || `the crawl ended with exit code ${code}`)
    const since = withStacks === 'under-way' ? underWay?.atUs : undefined
    return { summary: JSON.parse(last), usage: readJson(usageFile), stacks: readStacks(scratch, since), underWay }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** A line of progress as `crawl --json` prints it. */
interface ProgressLine {
  readonly pages: number
  readonly requests: number
  readonly bytes: number
  readonly elapsedMs: number
  readonly cpuMs: number
}

function seenUnderWay({ pages, requests, bytes, elapsedMs, cpuMs }: ProgressLine, pid: number): UnderWay {
  return {
    ...{ done: { pages, requests, bytes }, elapsedMs },
    usage: { cpuMs, helperMs: helperMsOf(pid), writtenBytes: writtenBytesBy(pid) },
    atUs: Number(process.hrtime.bigint() / 1000n),
  }
}

function readStacks(folder: string, sinceUs: number | undefined): Stack[] {
  const profiles = globSync('*.cpuprofile', { cwd: folder })
  return profiles.flatMap((file) => stacksOf(readJson<CpuProfile>(join(folder, file)), sinceUs))
}

function readJson<Value>(file: string): Value {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** A module of this program, with the ending it has here: sources in a clone, JavaScript in the package. */
function siblingOf(module: string): URL {
  return new URL(module + import.meta.url.slice(import.meta.url.lastIndexOf('.')), import.meta.url)
}
