import { spawnSync } from 'node:child_process'

/** Which cores the crawler and its site have for themselves, so that neither is measured waiting for the other. */
export interface Pinning {
  readonly crawler: string
  readonly site: string
}

/** `undefined`: the system offers no way (`taskset`), or there is one core only. */
export function findPinning(): Pinning | undefined {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const [crawler, ...others] = readCores(stdout)
  return crawler === undefined || others.length === 0 ? undefined : { crawler: String(crawler), site: others.join(',') }
}

/** `pid 7's current affinity list: 0-2,5` → 0, 1, 2, 5. */
export function readCores(answer: string): number[] {
  const list = answer.slice(answer.lastIndexOf(':') + 1).trim()
  return list.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
    if (first === undefined) return []
    return Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, n) => Number(first) + n)
  })
}

/** Moves a process that runs already, with all its threads. Where that fails it stays where it is. */
export function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}

/** A command that runs on the given cores. */
export function pinned(command: readonly [string, ...string[]], cores: string | undefined): [string, ...string[]] {
  return cores === undefined ? [...command] : ['taskset', '-c', cores, ...command]
}
