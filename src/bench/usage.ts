/** What a process has used, written by `probe.ts` when it ends. */
export interface ProcessUsage {
  /** Start-up and all threads included. */
  readonly cpuMs: number
  readonly peakRssBytes: number
  /** CPU of threads that run no JavaScript, by their kind. Empty where the system does not tell. */
  readonly helperMs: Readonly<Record<HelperKind, number>>
  /** What the process caused to be written to a disk, journals included; `null` where the system does not tell. */
  readonly writtenBytes: number | null
}

export type HelperKind = 'engine' | 'pool'

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
