import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What a process has used. */
export interface ProcessUsage {
  /** Start-up and all threads included. */
  readonly cpuMs: number
  readonly peakRssBytes: number
  /** CPU of threads that run no JavaScript, by their kind. Nothing where the system does not tell. */
  readonly helperMs: HelperMs
  /** What the process caused to be written to a disk, journals included; `null` where the system does not tell. */
  readonly writtenBytes: number | null
}

export type HelperKind = 'engine' | 'pool'
export type HelperMs = Readonly<Record<HelperKind, number>>

const kinds: readonly (readonly [RegExp, HelperKind])[] = [
  // Garbage collection and compilation beside the main thread.
  [/V8Worker|DelayedTask/, 'engine'],
  // File system, name look-ups, compression.
  [/libuv-worker/, 'pool'],
]

/** `stat` of a thread in Linux' `/proc` → what kind of helper it is, and its CPU; `undefined` for JavaScript threads. */
export function helperOf(stat: string): { kind: HelperKind; cpuMs: number } | undefined {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
  // Behind the name: state is field 3, user and system time 14 and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return kind && { kind, cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 }
}

/** `write_bytes` of Linux' `/proc/self/io`. */
export function writtenBytesOf(io: string): number | null {
  const match = /^write_bytes: (\d+)$/m.exec(io)
  return match ? Number(match[1]) : null
}

/** Of a process that runs, by its id. */
export function helperMsOf(pid: number | 'self'): HelperMs {
  const sums = { engine: 0, pool: 0 }
  const folder = `/proc/${pid}/task`
  for (const thread of existsSync(folder) ? readdirSync(folder) : []) {
    const helper = helperOf(readIfThere(`${folder}/${thread}/stat`))
    if (helper) sums[helper.kind] += helper.cpuMs
  }
  return sums
}

export function writtenBytesBy(pid: number | 'self'): number | null {
  return writtenBytesOf(readIfThere(`/proc/${pid}/io`))
}

/** Threads and processes may end while one looks at them. */
function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
