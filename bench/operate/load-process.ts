import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What those who looked saw while the load lasted. */
export interface LoadReport {
  readonly asked: number
  readonly statuses: Readonly<Record<string, number>>
  readonly requestsPerSecond: number
  readonly eventsPerSecond: number
  readonly eventBytesPerSecond: number
  /** Viewers whose connection the server ended. */
  readonly lost: number
  /** Of each kind of request. */
  readonly medianMs: Readonly<Record<string, number>>
  /** Of the load's own process, since it started. */
  readonly cpuMs: number
}

export interface LoadOptions {
  readonly server: string
  readonly crawl: string
  readonly urls: readonly string[]
  readonly viewers: number
  readonly requests: number
}

/** Those who look at a server, in a process of their own. */
export interface LoadProcess extends AsyncDisposable {
  readonly pid: number
  /** Resolves when all viewers are there and requests have begun. */
  begin(): Promise<void>
  end(): Promise<LoadReport>
}

export function startLoad({ urls, ...options }: LoadOptions): LoadProcess {
  const main = fileURLToPath(new URL('./load.ts', import.meta.url))
  const args = Object.entries({ ...options, urls: urls.join(',') }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ])
  const child = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ask = async (command: string) => {
    child.stdin.write(`${command}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('Those who look have ended.')
    return JSON.parse(value)
  }
  return {
    pid: child.pid!,
    begin: () => ask('begin'),
    end: () => ask('end'),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      child.kill('SIGTERM')
    },
  }
}
