import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the operating system says of a process and of all that it started and waited for. */
export interface Usage {
  /** null: it was stopped, and nothing is known of it. */
  readonly exitCode: number | null
  /** User and system. */
  readonly cpuMs: number
  readonly elapsedMs: number
  /** Of the largest process among them. */
  readonly peakRssBytes: number
  /** The line of its complaints that most likely names the cause. */
  readonly complaint: string
}

const timeProgram = '/usr/bin/time'
export const measuringNeeds = ['taskset', 'time']
const runLimitMs = 240_000

/**
 * Runs a command on one core to its end, with an empty folder to write to. GNU time reads `wait4`, so start-up, threads
 * and children count.
 */
export async function measure(
  core: number,
  command: (out: string) => readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Usage> {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-peers-'))
  try {
    const report = join(scratch, 'usage')
    const args = ['--format=%U %S %e %M', `--output=${report}`, 'taskset', '-c', String(core), ...command(scratch)]
    const complaints = openSync(join(scratch, 'complaints'), 'w+')
    const child = spawn(timeProgram, args, {
      cwd: scratch,
      stdio: ['ignore', 'ignore', complaints],
      // A group of its own, so that a run without end can be stopped as a whole.
      detached: true,
      env: { ...neutralEnvironment(process.env), ...env },
    })
    const limit = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), runLimitMs)
    const [exitCode] = (await once(child, 'exit')) as [number | null]
    clearTimeout(limit)
    closeSync(complaints)
    const complaint = complaintIn(readFileSync(join(scratch, 'complaints'), 'utf8'))
    return { exitCode, complaint, ...readUsage(readFileSync(report, 'utf8')) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Settings in the shell of whoever runs the bench are not part of it. */
export function neutralEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('ORBWEAVER_')))
}

/** The last line; before it stands how the command ended, if it did not end well. */
export function readUsage(report: string): Omit<Usage, 'exitCode' | 'complaint'> {
  const [userS = Number.NaN, systemS = Number.NaN, elapsedS = Number.NaN, peakKib = Number.NaN] = lastLine(report)
    .split(' ')
    .map(Number)
  return {
    cpuMs: (userS + systemS) * 1000,
    elapsedMs: elapsedS * 1000,
    peakRssBytes: peakKib * 1024,
  }
}

/** Under an uncaught error stand its stack and the name of the program. */
export function complaintIn(text: string): string {
  return text.split('\n').findLast((line) => /error\b/i.test(line)) ?? lastLine(text)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
