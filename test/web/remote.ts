import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Violation } from './conduct.ts'
import type { ExpectedPage } from './expected.ts'
import type { LogEntry } from './log.ts'

/** What a test web that runs alone says of itself. */
export interface Announcement {
  readonly pid: number
  readonly seed: string
  readonly httpPort: number
  readonly httpsPort: number
  readonly dns: string
  /** Base URL of its control endpoint. */
  readonly control: string
  readonly caFile: string
  readonly seeds: readonly string[]
}

/** `Expected` with objects in place of maps. */
export interface RemoteExpected {
  readonly pages: Readonly<Record<string, ExpectedPage>>
  readonly others: Readonly<Record<string, string>>
  readonly redirects: Readonly<Record<string, string>>
  readonly failures: Readonly<Record<string, readonly string[]>>
  readonly excluded: Readonly<Record<string, string>>
  readonly hostile: Readonly<Record<string, string>>
  readonly duplicates: readonly (readonly string[])[]
  readonly nearDuplicates: readonly (readonly string[])[]
  readonly traps: Readonly<Record<string, string>>
}

export interface RemoteCounts {
  readonly fetches: Readonly<Record<string, number>>
  readonly limited: Readonly<Record<string, number>>
  readonly dns: Readonly<Record<string, number>>
}

/** A test web in a process of its own: it costs the caller no CPU and outlives a crawler that is killed. */
export interface RemoteWeb extends Announcement, AsyncDisposable {
  log(host?: string): Promise<readonly LogEntry[]>
  expected(): Promise<RemoteExpected>
  violations(): Promise<{ readonly robots: readonly Violation[]; readonly rate: readonly Violation[] }>
  counts(): Promise<RemoteCounts>
  advance(ms: number): Promise<void>
}

/** `args` as for `main.ts`, such as `['--preset', 'small']`. It ends with this process at the latest. */
export async function startRemoteWeb(args: readonly string[]): Promise<RemoteWeb> {
  const main = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './main.js', import.meta.url))
  const child = await spawnAnnouncing<Announcement>([process.execPath, main, '--attached'], args)
  const { announcement } = child
  const ask = async (method: string, path: string) => {
    const response = await fetch(announcement.control + path, { method })
    return response.json()
  }
  return {
    ...announcement,
    log: (host) => ask('GET', host === undefined ? '/log' : `/log?host=${host}`) as Promise<LogEntry[]>,
    expected: () => ask('GET', '/expected') as Promise<RemoteExpected>,
    violations: () => ask('GET', '/violations') as ReturnType<RemoteWeb['violations']>,
    counts: () => ask('GET', '/counts') as Promise<RemoteCounts>,
    advance: async (ms) => {
      await ask('POST', `/advance?ms=${ms}`)
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** Starts a program whose first line says, as JSON, where it is, and which stops when its standard input ends. */
export async function spawnAnnouncing<T>(
  [program = '', ...own]: readonly string[],
  args: readonly string[],
): Promise<AsyncDisposable & { readonly announcement: T }> {
  const child = spawn(program, [...own, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const line = await Promise.race([once(lines, 'line'), exited.then(() => undefined)])
  if (line === undefined) throw new Error(`${own.join(' ')} did not start with ${args.join(' ')}`)
  return {
    announcement: JSON.parse(String(line[0])) as T,
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    },
  }
}
